import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject } from './json.js';
import type { ToolDefinition } from './tool-definition.js';

const compiled = new WeakMap<object, ValidateFunction>();

const validatorOf = (tool: ToolDefinition): ValidateFunction => {
  const known = compiled.get(tool.parameters);
  if (known !== undefined) return known;
  const validator = new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(tool.parameters);
  compiled.set(tool.parameters, validator);
  return validator;
};

const sentenceOf = (error: ErrorObject): string => {
  const where = error.instancePath === '' ? '' : `"${error.instancePath.slice(1).replaceAll('/', '.')}" `;
  if (error.keyword === 'required') return `"${String(error.params['missingProperty'])}" is missing`;
  if (error.keyword === 'additionalProperties') return `there is no argument "${String(error.params['additionalProperty']).slice(0, 40)}"`;
  return `${where}${error.message ?? 'is wrong'}`;
};

const namesOf = (tool: ToolDefinition): string => {
  const { properties } = tool.parameters;
  return isJsonObject(properties) ? Object.keys(properties).join(', ') : '';
};

/** The arguments without those that are null: a null counts as absent, as it does in a frame. */
export const withoutNulls = (args: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));

/** What is wrong with the arguments of a call, as one sentence for the model; `undefined` if they fit the tool's schema. */
export function findArgumentFault(tool: ToolDefinition, args: JsonObject): string | undefined {
  const validate = validatorOf(tool);
  if (validate(withoutNulls(args))) return undefined;
  const faults = [...new Set((validate.errors ?? []).map(sentenceOf))].slice(0, 5);
  return `${tool.name}: ${faults.join('; ')}. Its arguments are: ${namesOf(tool)}.`;
}

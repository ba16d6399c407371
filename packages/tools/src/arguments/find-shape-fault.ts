import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject } from './json.js';
import type { JsonSchema } from '@codelab/protocol';
import type { CanonicalDefinition, ToolDefinition } from '../tools/tool-definition.js';

/** One for all schemas: each has the schema of schemas to compile. It keeps none of ours, whatever their `$id`. */
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, addUsedSchema: false });
const compiled = new WeakMap<object, ValidateFunction>();

const validatorOf = (schema: JsonSchema): ValidateFunction => {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validator = ajv.compile(schema);
  ajv.removeSchema(schema);
  compiled.set(schema, validator);
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

/** The fields without those that are null: a null counts as absent, as it does in a frame, except in those of `kept`. */
export const withoutNulls = (fields: JsonObject, kept: readonly string[] = []): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null || kept.includes(name)));

const faultsOf = (schema: JsonSchema, value: unknown): readonly ErrorObject[] => {
  const validate = validatorOf(schema);
  return validate(value) ? [] : (validate.errors ?? []);
};

const toPhrase = (sentences: readonly string[]): string | undefined =>
  sentences.length === 0 ? undefined : [...new Set(sentences)].slice(0, 5).join('; ');

/** What is wrong with the arguments of a call, as one sentence for the model; `undefined` if they fit the tool's schema. */
export function findArgumentFault(tool: ToolDefinition, args: JsonObject): string | undefined {
  const faults = toPhrase(faultsOf(tool.parameters, withoutNulls(args)).map(sentenceOf));
  return faults === undefined ? undefined : `${tool.name}: ${faults}. Its arguments are: ${namesOf(tool)}.`;
}

/**
 * What is wrong with the result of a canonical tool, as a phrase: a field of another type, or one missing that the model can't do without.
 * `undefined` where nothing is. The specification's own examples leave fields out, so any other field may be missing.
 */
export function findResultFault({ result, additions, essential }: CanonicalDefinition, value: unknown): string | undefined {
  const fields = isJsonObject(value) ? withoutNulls(value, essential) : value;
  const wrong = faultsOf(additions?.result ?? result, fields).filter(({ keyword }) => keyword !== 'required');
  const missing = isJsonObject(fields) ? essential.filter((name) => !Object.hasOwn(fields, name)) : [];
  return toPhrase([...missing.map((name) => `"${name}" is missing`), ...wrong.map(sentenceOf)]);
}

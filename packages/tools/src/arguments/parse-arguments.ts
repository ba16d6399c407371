import { findArgumentFault } from './find-shape-fault.js';
import { findJsonFault } from './find-json-fault.js';
import { isJsonObject, type JsonObject } from './json.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Judges schemas by the schema of schemas; none of them is compiled, so that a schema from outside is read and never run. */
const judge = new Ajv2020({ strict: false, validateFormats: false });

/** What is wrong with a JSON Schema (2020-12), as a phrase that names the place; `undefined` if nothing is. */
export function findSchemaFault(schema: object): string | undefined {
  const { $schema: _, ...unnamed } = schema as { readonly $schema?: unknown }; // another draft's words are judged by the same rules
  if (judge.validateSchema(unnamed) === true) return undefined;
  const [first] = judge.errors ?? [];
  const where = first?.instancePath ? `at ${first.instancePath} ` : '';
  return `${where}${first?.message ?? 'is not valid'}`;
}

export type ParsedArguments =
  | { readonly ok: true; readonly args: JsonObject; /** What was given, byte for byte; `{}` for nothing. */ readonly text: string }
  | { readonly ok: false; readonly code: 'INVALID_ARGUMENTS'; readonly message: string };

const refuse = (message: string): ParsedArguments => ({ ok: false, code: 'INVALID_ARGUMENTS', message });

const parse = (text: string): { readonly value: unknown } | { readonly fault: string } => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'not JSON' }; // V8's sentence says where, and is what the model needs
  }
};

/**
 * Turns the argument text of a call into arguments that fit the tool, or into a sentence that its author can act on. Nothing is repaired
 * or filled in: what is executed is what was written. An empty text means `{}`. The text is never re-serialised, so that a digest and a
 * display made elsewhere are of the same arguments.
 */
export function parseArguments(tool: ToolDefinition, text: string): ParsedArguments {
  const given = text.trim() === '' ? '{}' : text;
  const parsed = parse(given);
  if ('fault' in parsed) return refuse(`The arguments of ${tool.name} are not valid JSON: ${parsed.fault}.`);
  if (!isJsonObject(parsed.value)) return refuse(`The arguments of ${tool.name} must be one JSON object.`);
  const fault = findJsonFault(given);
  if (fault !== undefined) return refuse(`The arguments of ${tool.name} are ambiguous: ${fault}.`);
  const mismatch = findArgumentFault(tool, parsed.value);
  return mismatch === undefined ? { ok: true, args: parsed.value, text: given } : refuse(mismatch);
}

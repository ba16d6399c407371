import type { JsonSchema } from '../../../canonical/message.js';
import { isObject } from '../../../json/read-json.js';

/** What a schema may have where the answer is forced to follow it (https://platform.claude.com/docs/en/build-with-claude/structured-outputs). */
const KEPT = ['type', 'enum', 'const', 'default', 'title', 'description', 'required', '$ref', '$id', '$schema'];
const ONE_SCHEMA = ['items'];
const MANY_SCHEMAS = ['anyOf', 'allOf', 'prefixItems'];
const NAMED_SCHEMAS = ['properties', '$defs', 'definitions'];

const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'];

/**
 * A schema as Anthropic takes it for strict tools and structured output: constraints that it refuses, such as `minLength` or `pattern`, move
 * into the description, where the model reads them (RQ13). Objects take no other members than they name.
 */
export function toStrictSchema(schema: JsonSchema): JsonSchema {
  const kept: Record<string, unknown> = {};
  const moved: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'additionalProperties') continue;
    const strict = encodeKeyword(key, value);
    if (strict === undefined) moved.push(`${key}: ${JSON.stringify(value)}`);
    else kept[key === 'oneOf' ? 'anyOf' : key] = strict;
  }
  if (schema.type === 'object' || schema.properties !== undefined) kept.additionalProperties = false;
  if (moved.length === 0) return kept;
  const text = typeof schema.description === 'string' ? `${schema.description}\n\n` : '';
  return { ...kept, description: `${text}{${moved.join(', ')}}` };
}

/** A keyword's value in a strict schema; `undefined` where it can't have the keyword. */
function encodeKeyword(key: string, value: unknown): unknown {
  if (KEPT.includes(key)) return value;
  if (ONE_SCHEMA.includes(key)) return toStrict(value);
  if (NAMED_SCHEMAS.includes(key) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toStrict(inner)]));
  }
  if ((MANY_SCHEMAS.includes(key) || key === 'oneOf') && Array.isArray(value)) return value.map(toStrict);
  if (key === 'format') return FORMATS.includes(value as string) ? value : undefined;
  return key === 'minItems' && (value === 0 || value === 1) ? value : undefined;
}

const toStrict = (schema: unknown): unknown => (isObject(schema) ? toStrictSchema(schema) : schema);

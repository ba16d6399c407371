import type { JsonSchema } from '@codelab/protocol';
import { isJsonObject } from './json.js';
import type { CanonicalDefinition } from '../tools/tool-definition.js';

type Fields = Readonly<Record<string, JsonSchema>>;

const fieldsOf = (schema: unknown): Fields => (isJsonObject(schema) ? ((schema.properties ?? {}) as Fields) : {});

const narrow = (value: unknown, known: JsonSchema, whole: JsonSchema): unknown => {
  if (Array.isArray(value)) {
    const [items, all] = [known.items, whole.items] as [JsonSchema | undefined, JsonSchema | undefined];
    return items === undefined || all === undefined ? value : value.map((item) => narrow(item, items, all));
  }
  if (!isJsonObject(value)) return value;
  const [kept, all] = [fieldsOf(known), fieldsOf(whole)];
  const fields = Object.entries(value).filter(([name]) => Object.hasOwn(kept, name) || !Object.hasOwn(all, name));
  return Object.fromEntries(fields.map(([name, field]) => [name, narrow(field, kept[name] ?? {}, all[name] ?? {})]));
};

/** A result without the fields that version 2.1 adds, as the vocabulary `codelab` shows it. What nobody has defined stays. */
export const withoutAdditions = ({ result, additions }: CanonicalDefinition, value: unknown): unknown =>
  additions?.result === undefined ? value : narrow(value, result, additions.result);

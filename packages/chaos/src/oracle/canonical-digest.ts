import { createHash } from 'node:crypto';

/** RFC 8785 for what conversations hold: objects, lists, texts, numbers. Written from docs/protocol/executor.md#canonical-json-in-four-rules. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
};

/** `args_sha256` of arguments. */
export const digestOf = (args: object): string => createHash('sha256').update(canonical(args)).digest('hex');

/** JSON text that is carried as it is. The writer puts it in place untouched, so big numbers, key order and escapes survive. */
export class RawJson {
  /** @param text valid JSON; the caller has checked it */
  constructor(readonly text: string) {}
}

/** The JSON text of a value that holds `RawJson` anywhere; otherwise what `JSON.stringify` gives. */
export function toJsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map((entry) => (entry === undefined ? 'null' : toJsonText(entry))).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return `{${members.map(([key, entry]) => `${JSON.stringify(key)}:${toJsonText(entry)}`).join(',')}}`;
}

/** JSON text that is carried as it is. The writer puts it in place untouched, so big numbers, key order and escapes survive. */
export class RawJson {
  /** @param text valid JSON; the caller has checked it */
  constructor(readonly text: string) {}
}

/** The JSON text of a value that holds `RawJson` anywhere; otherwise what `JSON.stringify` gives. */
export function toJsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  // Most of a request holds none, and the built-in writer is several times as fast.
  if (typeof value !== 'object' || value === null || !holdsRaw(value)) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(toJsonText).join(',')}]`;
  let members = '';
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${toJsonText(entry)}`;
  }
  return `{${members}}`;
}

function holdsRaw(value: object): boolean {
  if (value instanceof RawJson) return true;
  if (Array.isArray(value)) return value.some(isRawInside);
  for (const key in value) if (isRawInside((value as Readonly<Record<string, unknown>>)[key])) return true; // Object.values is slower
  return false;
}

const isRawInside = (entry: unknown): boolean => typeof entry === 'object' && entry !== null && holdsRaw(entry);

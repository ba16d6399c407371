/** JSON text that is carried as it is. The writer puts it in place untouched, so big numbers, key order and escapes survive. */
export class RawJson {
  /** @param text valid JSON; the caller has checked it */
  constructor(readonly text: string) {}
}

/** Texts of values that are written again and again; '' until the first time. */
const TEXTS = new WeakMap<object, string>();

/** Has the text of a value, which never changes, written once. */
export function keepText<Value extends object>(value: Value): Value {
  TEXTS.set(value, '');
  return value;
}

/** The JSON text of a value that holds `RawJson` anywhere; otherwise what `JSON.stringify` gives. */
export function toJsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const kept = TEXTS.get(value);
  if (kept === undefined) return write(value);
  const text = kept === '' ? write(value) : kept;
  TEXTS.set(value, text);
  return text;
}

function write(value: object): string {
  if (!holdsRaw(value)) return JSON.stringify(value); // most of a request, and the built-in writer is several times as fast
  if (Array.isArray(value)) return `[${value.map(toJsonText).join(',')}]`;
  let members = '';
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${toJsonText(entry)}`;
  }
  return `{${members}}`;
}

/** Whether there is anything in a value that is not to be written anew. */
function holdsRaw(value: object): boolean {
  if (Array.isArray(value)) return value.some(isRawInside);
  for (const key in value) if (isRawInside((value as Readonly<Record<string, unknown>>)[key])) return true; // Object.values is slower
  return false;
}

const isRawInside = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && (entry instanceof RawJson || TEXTS.has(entry) || holdsRaw(entry));

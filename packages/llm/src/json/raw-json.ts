/** JSON text that is carried as it is. The writer puts it in place untouched, so big numbers, key order and escapes survive. */
export class RawJson {
  /** @param text valid JSON; the caller has checked it */
  constructor(readonly text: string) {}
}

/** JSON text in UTF-8, for what goes into many requests. */
export class JsonBytes {
  constructor(readonly bytes: Buffer) {}

  /** In the place of a value, for who writes that as JSON and doesn't look into it. */
  as<Value>(): Value {
    return this as unknown as Value;
  }
}

/** Elements of a list as JSON, with commas between them: each is written once. */
export class GrowingJson {
  private room = Buffer.alloc(0);
  private length = 0;

  /** What there is now; it stays as it is when more is added. */
  get json(): JsonBytes {
    return new JsonBytes(this.room.subarray(0, this.length));
  }

  /** Adds an element, and answers how long it is in characters. */
  add(value: unknown): number {
    const text = `${this.length > 0 ? ',' : ''}${toJsonText(value)}`;
    const end = this.length + Buffer.byteLength(text);
    if (end > this.room.length) {
      const room = Buffer.allocUnsafe(2 * end);
      this.room.copy(room, 0, 0, this.length);
      this.room = room;
    }
    this.length += this.room.write(text, this.length);
    return text.length;
  }
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
  if (value instanceof JsonBytes) return value.bytes.toString();
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
  typeof entry === 'object' &&
  entry !== null &&
  (entry instanceof RawJson || entry instanceof JsonBytes || TEXTS.has(entry) || holdsRaw(entry));

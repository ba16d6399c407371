/** A string of a JSON text, without its quotes. */
export interface JsonString {
  /** Where it stands in the JSON text. */
  readonly start: number;
  readonly end: number;
  readonly value: string;
  /** The JSON text and the value differ. */
  readonly escaped: boolean;
}

const endOfString = (json: string, from: number): number => {
  for (let at = json.indexOf('"', from); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === '\\' && at - 1 - backslashes >= from) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
};

/** What a JSON text holds beside its strings. */
const BETWEEN = /^[\s\d{}[\],:truefalsn.E+-]*$/;

const decode = (raw: string): string | undefined => {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
};

/** The strings of a JSON text, names of fields included, in order; `undefined` for a text with a string that is none. */
export function findJsonStrings(json: string): readonly JsonString[] | undefined {
  const strings: JsonString[] = [];
  let position = 0;
  for (let open = json.indexOf('"'); open !== -1; open = json.indexOf('"', position)) {
    const start = open + 1;
    const end = endOfString(json, start);
    if (end === -1 || !BETWEEN.test(json.slice(position, open))) return undefined;
    const raw = json.slice(start, end);
    const escaped = raw.includes('\\');
    const value = escaped ? decode(raw) : raw;
    if (value === undefined) return undefined;
    strings.push({ start, end, value, escaped });
    position = end + 1;
  }
  return BETWEEN.test(json.slice(position)) ? strings : undefined;
}

/** Finds where characters of values stand in the JSON text; asked in ascending order it reads each string once. */
export class RawIndex {
  private string: JsonString | undefined;
  private index = 0;
  private raw = 0;

  constructor(private readonly json: string) {}

  of(string: JsonString, index: number): number {
    if (!string.escaped) return string.start + index;
    if (this.string !== string || this.index > index) {
      this.string = string;
      this.index = 0;
      this.raw = string.start;
    }
    for (; this.index < index; this.index += 1) {
      this.raw += this.json[this.raw] !== '\\' ? 1 : this.json[this.raw + 1] === 'u' ? 6 : 2;
    }
    return this.raw;
  }
}

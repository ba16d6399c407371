/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `value` as an object to look into; anything else as an empty one. */
export function asObject(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** `value` if it is a text with something in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `value` if it is a list; anything else as an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** What `text` says, or `undefined` for what is no JSON: without an error, whose message would quote what a provider or a user wrote (L1). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `text` if it is a JSON object, else `{}`: several providers parse the arguments of a call, and one bad call would make them refuse the conversation for ever. */
export const toObjectText = (text: string): string => (isObject(parseJson(text)) ? text : '{}');

export const asFlag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

export const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** `value` if it counts something. */
export const asCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

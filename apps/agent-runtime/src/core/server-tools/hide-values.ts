/** The least length of a word of a header that is looked for in answers: a shorter one is no key, and stands in too many places by chance. */
const MIN_WORD = 8;

/** The same of what is known to be a secret. */
const MIN_SECRET = 4;

const MASK = '[masked]';

/** A text of JSON, or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * What nobody should read in an answer to a request: secrets, and of the headers that were sent each value as a whole and its words
 * (`Basic …`, `session=…; …`).
 */
export function sentValues(secrets: readonly string[], headers: Readonly<Record<string, string>> = {}): readonly string[] {
  const words = Object.values(headers).flatMap((value) => [value, ...value.split(/[\s=;,:&"]+/)]);
  const values = new Set([...words.filter(({ length }) => length >= MIN_WORD), ...secrets.filter(({ length }) => length >= MIN_SECRET)]);
  return [...values].sort((one, other) => other.length - one.length); // what has another one in it goes first
}

/** A text without them. */
export const hideValues = (text: string, values: readonly string[]): string =>
  values.reduce((masked, value) => masked.replaceAll(value, MASK), text);

/** JSON without them, however its texts are escaped: it stays JSON, and the rest of it as it is, byte for byte. */
export function hideInJson(json: string, values: readonly string[]): string {
  if (values.length === 0) return json;
  return json.replace(TOKEN, (token) => {
    if (!token.startsWith('"')) return values.includes(token) ? JSON.stringify(MASK) : token;
    if (!token.includes('\\') && !values.some((value) => token.includes(value))) return token;
    const text = JSON.parse(token) as string;
    const masked = hideValues(text, values);
    return masked === text ? token : JSON.stringify(masked);
  });
}

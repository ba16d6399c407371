import { quote, refuse } from './refuse.js';

/** Looks at the value of the field `param` and throws `ApiError` if it can't be read. */
export type Check = (value: unknown, param: string) => void;

/** `null` counts as absent. */
export const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

/** Makes a check out of a test, and the word for what passes it. */
const must =
  (be: string, test: (value: unknown) => boolean): Check =>
  (value, param) => {
    if (!test(value)) throw refuse(param, `must be ${be}, not ${quote(value)}`);
  };

export const text = must('a string', (value) => typeof value === 'string');
export const filledText = must('a string with something in it', (value) => typeof value === 'string' && value.trim() !== '');
export const flag = must('true or false', (value) => typeof value === 'boolean');
export const anObject = must('an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value));
export const aList = must('a list', (value) => Array.isArray(value));

export const numberIn = (min: number, max: number): Check =>
  must(`a number from ${min} to ${max}`, (value) => typeof value === 'number' && value >= min && value <= max);
export const integerFrom = (min: number): Check =>
  must(`an integer of at least ${min}`, (value) => Number.isSafeInteger(value) && Number(value) >= min);
export const oneOf = (...words: readonly string[]): Check =>
  must(`one of ${words.map((word) => `"${word}"`).join(', ')}`, (value) => typeof value === 'string' && words.includes(value));

export const listOf =
  (check: Check): Check =>
  (value, param) => {
    aList(value, param);
    for (const [place, entry] of (value as unknown[]).entries()) check(entry, `${param}[${place}]`);
  };

/** A string, or a list of strings. */
export const textOrTexts: Check = (value, param) => (Array.isArray(value) ? listOf(text) : text)(value, param);

/** An object whose fields pass their checks where they are present; `required` ones must be. What it doesn't name is not looked at. */
export const fields =
  (optional: Readonly<Record<string, Check>>, required: Readonly<Record<string, Check>> = {}): Check =>
  (value, param) => {
    anObject(value, param);
    checkFields(value as Readonly<Record<string, unknown>>, `${param}.`, optional, required);
  };

/** As `fields`, of an object that is one. `prefix` stands before each name in an error. */
export function checkFields(
  object: Readonly<Record<string, unknown>>,
  prefix: string,
  optional: Readonly<Record<string, Check>>,
  required: Readonly<Record<string, Check>> = {},
): void {
  for (const name in required) {
    if (isAbsent(object[name])) throw refuse(`${prefix}${name}`, 'is missing');
    required[name]?.(object[name], `${prefix}${name}`);
  }
  for (const name in optional) if (!isAbsent(object[name])) optional[name]?.(object[name], `${prefix}${name}`);
}

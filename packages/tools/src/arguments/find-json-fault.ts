import { LIMITS } from '@codelab/protocol';

const LONE_SURROGATE = /\p{Surrogate}/u;
const NUMBER = /-?[0-9][-+.0-9eE]*/y;

/** The frame that carries the value is one level of the wire's limit. */
const MAX_LEVELS = LIMITS.MAX_NESTING - 1;

/** The index after the string that starts at `at`. */
const endOfString = (text: string, at: number): number => {
  for (let close = at; ;) {
    close = text.indexOf('"', close + 1);
    let slashes = 0;
    while (text[close - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return close + 1;
  }
};

const literalAt = (text: string, at: number): string => {
  NUMBER.lastIndex = at;
  return NUMBER.exec(text)![0]; // the text is valid JSON, and a number starts here
};

const faultOfNumber = (literal: string): string | undefined => {
  const value = Number(literal);
  if (!Number.isFinite(value)) return `the number ${literal.slice(0, 40)} is out of range`;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return `the integer ${literal.slice(0, 40)} is beyond ±(2^53−1)`;
  return undefined;
};

/** The names seen in each object that is open; `undefined` stands for a list. */
type Open = (Set<string> | undefined)[];

const faultOfString = (value: string, names: Set<string> | undefined): string | undefined => {
  if (LONE_SURROGATE.test(value)) return 'a string has a lone surrogate';
  if (names?.has(value)) return `the name ${JSON.stringify(value.slice(0, 40))} is there twice`;
  names?.add(value);
  return undefined;
};

/**
 * What makes a valid JSON text unfit to be understood alike by every program (RFC 7493): a repeated name, a lone surrogate, a number out
 * of range, an integer beyond ±(2^53−1); and nesting beyond what a frame can carry. `undefined` if nothing does.
 *
 * @param text valid JSON; the caller has parsed it
 */
export function findJsonFault(text: string): string | undefined {
  const open: Open = [];
  let nameComes = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    let fault: string | undefined;
    if (char === '"') {
      const end = endOfString(text, at);
      fault = faultOfString(JSON.parse(text.slice(at, end)) as string, nameComes ? open.at(-1) : undefined);
      at = end - 1;
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined);
      if (open.length > MAX_LEVELS) fault = `nested deeper than ${String(MAX_LEVELS)} levels`;
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      const literal = literalAt(text, at);
      fault = faultOfNumber(literal);
      at += literal.length - 1;
    }
    if (fault !== undefined) return fault;
    if (char === '{' || char === ',') nameComes = open.at(-1) !== undefined;
    else if (char === ':') nameComes = false;
  }
  return undefined;
}

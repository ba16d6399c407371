/** Where a value stands in a JSON text. */
export interface JsonSpan {
  /** The index of its first character, and the one after its last. */
  readonly start: number;
  readonly end: number;
}

/** A member of an object, or an element of an array with its place as `key`. */
export interface JsonChild extends JsonSpan {
  readonly key: string;
}

/** A value that a pattern found. */
export interface FoundJson extends JsonSpan {
  readonly path: readonly string[];
}

const [QUOTE, BACKSLASH, OPEN_LIST, OPEN_OBJECT] = [34, 92, 91, 123];

const skipBlanks = (text: string, at: number): number => {
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
};

const skipString = (text: string, at: number): number => {
  for (let close = text.indexOf('"', at + 1); ; close = text.indexOf('"', close + 1)) {
    let slashes = 0;
    while (text.charCodeAt(close - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return close + 1;
  }
};

const isClosing = (code: number): boolean => code === 93 || code === 125;

const skipContainer = (text: string, at: number): number => {
  for (let depth = 0; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = skipString(text, at) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (isClosing(code) && --depth === 0) return at + 1;
  }
};

/** The index after the value that starts at `at`. */
const skipValue = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return skipString(text, at);
  if (code === OPEN_LIST || code === OPEN_OBJECT) return skipContainer(text, at);
  const end = /[\s,\]}]/g;
  end.lastIndex = at;
  return end.exec(text)?.index ?? text.length;
};

/**
 * The members of the object, or the elements of the array, that starts at `at`; nothing of any other value. Repeated keys come each
 * time. The text must be valid JSON: parse it first.
 */
export function* childrenOf(text: string, at = skipBlanks(text, 0)): Generator<JsonChild, void, undefined> {
  const isObject = text.charCodeAt(at) === OPEN_OBJECT;
  if (!isObject && text.charCodeAt(at) !== OPEN_LIST) return;
  let next = skipBlanks(text, at + 1);
  for (let place = 0; !isClosing(text.charCodeAt(next)); place += 1) {
    let key = String(place);
    if (isObject) {
      const end = skipString(text, next);
      key = JSON.parse(text.slice(next, end)) as string;
      next = skipBlanks(text, skipBlanks(text, end) + 1);
    }
    const end = skipValue(text, next);
    yield { key, start: next, end };
    next = skipBlanks(text, end);
    if (text.charCodeAt(next) === 44) next = skipBlanks(text, next + 1);
  }
}

/** Every value whose path fits `pattern`, in the order of the text; `*` fits any key and any place. `text` must be valid JSON. */
export function* findJson(text: string, pattern: readonly string[]): Generator<FoundJson, void, undefined> {
  yield* findFrom(text, skipBlanks(text, 0), pattern, []);
}

function* findFrom(text: string, at: number, pattern: readonly string[], path: readonly string[]): Generator<FoundJson, void, undefined> {
  const [wanted, ...rest] = pattern;
  for (const { key, start, end } of childrenOf(text, at)) {
    if (wanted !== '*' && wanted !== key) continue;
    if (rest.length === 0) yield { path: [...path, key], start, end };
    else yield* findFrom(text, start, rest, [...path, key]);
  }
}

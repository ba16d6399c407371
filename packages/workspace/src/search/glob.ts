/** One place of a segment: a character, any character, any number of them, or one of a class. */
type Token = string | typeof ANY | typeof STAR | ((char: string) => boolean);

const ANY = Symbol('?');
const STAR = Symbol('*');
/** Any number of directories. */
const DEEP = Symbol('**');

type Segment = ((name: string) => boolean) | typeof DEEP;

const POSIX: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  digit: /[0-9]/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9a-f]/i,
};

/** Reads a class such as `[a-z]` or `[!a]` from its `[` on; `undefined` if it has no end. */
const readClass = (text: string, start: number): { readonly token: Token; readonly end: number } | undefined => {
  let at = start + 1;
  const negated = text[at] === '!' || text[at] === '^';
  if (negated) at += 1;
  const parts: ((char: string) => boolean)[] = [];
  for (const first = at; at < text.length; at += 1) {
    if (text[at] === ']' && at > first) return { token: (char) => parts.some((part) => part(char)) !== negated, end: at };
    const posix = /^\[:([a-z]+):\]/.exec(text.slice(at, at + 12));
    if (posix !== null) {
      const kind = POSIX[posix[1]!];
      if (kind === undefined) return undefined;
      parts.push((char) => kind.test(char));
      at += posix[0].length - 1;
      continue;
    }
    if (text[at] === '\\') at += 1;
    const low = text[at];
    if (low === undefined) return undefined;
    if (text[at + 1] === '-' && text[at + 2] !== undefined && text[at + 2] !== ']') {
      at += text[at + 2] === '\\' ? 3 : 2;
      const high = text[at] ?? low;
      parts.push((char) => low <= char && char <= high);
    } else parts.push((char) => char === low);
  }
  return undefined;
};

const tokenize = (text: string): Token[] | undefined => {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === '*') {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (char === '?') tokens.push(ANY);
    else if (char === '[') {
      const found = readClass(text, at);
      if (found === undefined) return undefined;
      tokens.push(found.token);
      at = found.end;
    } else if (char === '\\') {
      at += 1;
      if (at === text.length) return undefined;
      tokens.push(text[at]!);
    } else tokens.push(char);
  }
  return tokens;
};

const matches = (token: Token, char: string): boolean => token === ANY || token === char || (typeof token === 'function' && token(char));

/** Goes back to the last star only, which is enough, and keeps the time below pattern × name whatever the pattern. */
const runTokens = (tokens: readonly Token[], name: string): boolean => {
  let [token, char, star, from] = [0, 0, -1, 0];
  while (char < name.length) {
    const now = tokens[token];
    if (now === STAR) [star, from, token] = [token, char, token + 1];
    else if (now !== undefined && matches(now, name[char]!)) [token, char] = [token + 1, char + 1];
    else if (star >= 0) [token, from, char] = [star + 1, from + 1, from + 1];
    else return false;
  }
  while (tokens[token] === STAR) token += 1;
  return token === tokens.length;
};

/** How names match one segment of a pattern; `undefined` if it is no pattern. */
export function compileSegment(text: string): ((name: string) => boolean) | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  const isText = (part: readonly Token[]): part is readonly string[] => part.every((token) => typeof token === 'string');
  if (isText(tokens)) {
    const literal = tokens.join('');
    return (name) => name === literal;
  }
  const [first, ...rest] = tokens;
  if (first === STAR && isText(rest)) {
    const ending = rest.join('');
    return (name) => name.endsWith(ending);
  }
  return (name) => runTokens(tokens, name);
}

/** How paths match a pattern with `/`; `**` spans directories. `undefined` if it is no pattern. */
export function compilePath(text: string): ((path: string) => boolean) | undefined {
  if (!/[*?[\\]/.test(text)) return (path) => path === text;
  const segments: Segment[] = [];
  for (const part of text.split('/')) {
    const segment = part === '**' ? DEEP : compileSegment(part);
    if (segment === undefined) return undefined;
    if (segment !== DEEP || segments.at(-1) !== DEEP) segments.push(segment);
  }
  return (path) => runSegments(segments, path.split('/'));
}

/** A `**` at the end stands for one name at least, elsewhere for none or more. */
const runSegments = (segments: readonly Segment[], names: readonly string[]): boolean => {
  let [segment, name, deep, from] = [0, 0, -1, 0];
  while (name < names.length) {
    const now = segments[segment];
    if (now === DEEP) {
      if (segment === segments.length - 1) return true;
      [deep, from, segment] = [segment, name, segment + 1];
    } else if (now !== undefined && now(names[name]!)) [segment, name] = [segment + 1, name + 1];
    else if (deep >= 0) [segment, from, name] = [deep + 1, from + 1, from + 1];
    else return false;
  }
  return segment === segments.length;
};

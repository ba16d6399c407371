/** What is wrong with a regular expression, and where: characters, from 1. */
interface RegexFault {
  readonly what: string;
  readonly at: number;
}

const LOOK_AROUND = /^\(\?(?:[=!]|<[=!])/;
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})/;

/**
 * The usual faults of a regular expression, found the same way whichever engine runs it: brackets that are open or too many, what a
 * quantifier has nothing to repeat, look-around and back references, which take more than linear time. What is not found here the engine
 * finds.
 *
 * @param multiline a match may go over line ends
 */
export function findRegexFault(source: string, multiline: boolean): RegexFault | undefined {
  if (/\(\?[a-wyzA-Z]*x/.test(source)) return undefined; // blanks and comments in it
  const groups: number[] = [];
  let repeatable = false;
  const fault = (what: string, index: number): RegexFault => ({ what, at: [...source.slice(0, index)].length + 1 });
  for (let at = 0; at < source.length; at += 1) {
    const rest = source.slice(at, at + 32);
    const char = source[at]!;
    if (char === '\\') {
      if (at + 1 === source.length) return fault('there is nothing after its last "\\"', at);
      if (/^\\(?:[1-9]|k<)/.test(rest)) return fault('back references are not supported', at);
      if (rest.startsWith('\\n') && !multiline) return fault('lines are searched one by one without "multiline"', at);
      at += 1;
      repeatable = true;
    } else if (char === '[') {
      const end = endOfClass(source, at);
      if (end === undefined) return fault('unclosed character class', at);
      [at, repeatable] = [end, true];
    } else if (char === '(') {
      if (LOOK_AROUND.test(rest)) return fault('look-around is not supported', at);
      groups.push(at);
      const flags = /^\(\?[a-zA-Z-]*\)/.exec(rest)?.[0];
      const opening = flags ?? /^\(\?(?:[a-zA-Z-]*:|P?<[A-Za-z_][\w.[\]]*>)/.exec(rest)?.[0] ?? '(';
      if (flags !== undefined) groups.pop();
      at += opening.length - 1;
      repeatable = false;
    } else if (char === ')') {
      if (groups.pop() === undefined) return fault('unopened group', at);
      repeatable = true;
    } else if (QUANTIFIER.test(rest)) {
      if (!repeatable) return fault('there is nothing that could be repeated', at);
      const length = QUANTIFIER.exec(rest)![0].length;
      at += length - 1 + (source[at + length] === '?' ? 1 : 0);
      if (/[*+?]/.test(source[at + 1] ?? '')) return fault('what is repeated already is repeated again', at + 1);
    } else repeatable = char !== '|';
  }
  return groups.length === 0 ? undefined : fault('unclosed group', groups.at(-1)!);
}

/** Where the `]` of a class is; classes may be nested. */
function endOfClass(source: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') {
      const posix = /^\[:\^?[a-z]+:\]/.exec(source.slice(at, at + 16));
      if (posix !== null && depth > 0) {
        at += posix[0].length - 1;
        continue;
      }
      depth += 1;
      const first = /^\[\^?(?:\]|-\])?/.exec(source.slice(at, at + 4))![0];
      at += first.length - 1;
    } else if (source[at] === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

const MAX_SHOWN = 60;
/** Characters after a name in which its parameters are looked for. */
const REACH = 400;

const splitParameters = (text: string): readonly string[] => {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    if ('([{<'.includes(text[at]!)) depth += 1;
    else if (')]}>'.includes(text[at]!)) depth -= 1;
    else if (text[at] === ',' && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
};

/** A parameter without its type and its default, where these stand behind it. */
const bare = (parameter: string): string => parameter.replace(/\s*\??[:=](?![:>]).*$/s, '').replace(/\s+/g, ' ');

/**
 * A definition as a map shows it: a function with the names of its parameters, others by name.
 *
 * @param rest the text that begins right behind the name
 */
export function showSymbol(name: string, rest: string): string {
  const near = rest.slice(0, REACH);
  const open = /^\s*(?:<[^()]{0,100}>)?\s*(?:=\s*(?:async\s+)?(?:function\b[^(]{0,40})?)?\(/.exec(near);
  if (open === null) return name;
  let depth = 1;
  let end = open[0].length;
  for (; end < near.length && depth > 0; end += 1) {
    if (near[end] === '(') depth += 1;
    else if (near[end] === ')') depth -= 1;
  }
  if (depth > 0) return `${name}(…)`;
  const shown = `${name}(${splitParameters(near.slice(open[0].length, end - 1))
    .map(bare)
    .join(', ')})`;
  return shown.length <= MAX_SHOWN ? shown : `${name}(…)`;
}

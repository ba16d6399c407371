import { createHash } from 'node:crypto';
import { isMcpServerName, readMcpToolName } from '../names/mcp-name.js';
import { CANONICAL_TOOLS, isCanonicalTool } from '../tools/tools.js';

/** What a model sees before the name of a client's own tool. */
const FOREIGN = 'client__';

/** What providers allow. */
const MAX_LENGTH = 64;
const HASH_LENGTH = 16;

const toOurs = new Map<string, string>(CANONICAL_TOOLS.map((name) => [name.replaceAll('.', '_'), name]));

/**
 * Writes a character that names may not have as `__<hex code point>_`. An underscore that would start such a mark by accident is written
 * that way too, so the text can be read back in one way only.
 */
const escape = (name: string): readonly string[] =>
  [...name].map((char, index, all) => {
    const next = all[index + 1];
    const starts = char === '_' && (next === undefined || !/^[a-zA-Z0-9-]$/.test(next));
    return /^[a-zA-Z0-9_-]$/.test(char) && !starts ? char : `__${char.codePointAt(0)!.toString(16)}_`;
  });

const unescape = (text: string): string | undefined => {
  let name = '';
  for (let at = 0; at < text.length;) {
    if (!text.startsWith('__', at)) {
      name += text[at]!;
      at += 1;
      continue;
    }
    const hex = /^__([0-9a-f]{1,6})_/.exec(text.slice(at, at + 9));
    const code = Number.parseInt(hex?.[1] ?? '', 16);
    if (hex === null || code > 0x10_ff_ff) return undefined;
    name += String.fromCodePoint(code);
    at += hex[0].length;
  }
  return name;
};

/** What stands before the escaped part of a foreign tool's name, and that part. */
const split = (name: string): readonly [prefix: string, rest: string] => {
  const mcp = readMcpToolName(name);
  return mcp === undefined ? [FOREIGN, name] : [`mcp__${mcp.server}__`, mcp.tool];
};

/**
 * The name that a provider takes for a tool (`git.diff` → `git_diff`, a client's own `x` → `client__x`, a tool of an MCP server keeps its
 * `mcp__<server>__`). A name too long for that ends in a hash behind `__h`, which no escape looks like: still no two tools have one name,
 * but the way back needs the list of tools. A tool that is merely called `mcp__…`, without a server and a tool in its name, is a client's own.
 */
export function toModelName(name: string): string {
  if (isCanonicalTool(name)) return name.replaceAll('.', '_');
  const [prefix, rest] = split(name);
  const marks = escape(rest);
  const whole = prefix + marks.join('');
  if (whole.length <= MAX_LENGTH) return whole;
  const end = `__h${createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH)}`;
  let kept = prefix;
  for (const mark of marks) {
    if (kept.length + mark.length + end.length > MAX_LENGTH) break;
    kept += mark;
  }
  return kept + end;
}

/** The prefix of a name of {@link toModelName}; undefined where it has none. */
const prefixOf = (modelName: string): string | undefined => {
  if (modelName.startsWith(FOREIGN)) return FOREIGN;
  const server = /^mcp__(.+?)__/.exec(modelName);
  return server !== null && isMcpServerName(server[1]!) ? server[0] : undefined;
};

/** The tool that {@link toModelName} gave this name, where the name alone tells; a foreign tool never comes back as a canonical one. */
export function toToolName(modelName: string): string | undefined {
  const ours = toOurs.get(modelName);
  const prefix = prefixOf(modelName);
  if (ours !== undefined || prefix === undefined) return ours;
  const rest = unescape(modelName.slice(prefix.length));
  if (rest === undefined) return undefined;
  const name = prefix === FOREIGN ? rest : prefix + rest;
  return toModelName(name) === modelName ? name : undefined;
}

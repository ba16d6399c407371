import { parseRule } from '@codelab/tools';
import { CommandError } from '../command-error.js';
import type { LooseRule } from './render-rules.js';

/** Something in a command that only a shell could make words of. */
const SHELL = /[$`;|&<>(){}*?!#~\n]/;

/**
 * Takes a command apart as a shell does: blanks between words, quotes around what belongs together. Undefined where a shell would do more:
 * a rule names words, not programs of a shell.
 */
export function splitWords(command: string): readonly string[] | undefined {
  const words: string[] = [];
  const piece = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gsy;
  let word: string | undefined;
  while (piece.lastIndex < command.length) {
    const match = piece.exec(command);
    if (!match) return undefined;
    const [whole, single, double, escaped, plain] = match;
    if (/^\s/.test(whole)) {
      if (whole.includes('\n')) return undefined;
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    if ((plain !== undefined && SHELL.test(plain)) || (double !== undefined && /[$`]/.test(double))) return undefined;
    word = (word ?? '') + (single ?? double?.replaceAll(/\\([\\"])/g, '$1') ?? escaped ?? plain!);
  }
  if (word !== undefined) words.push(word);
  return words.length === 0 ? undefined : words;
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** `30m`, `12h`, `7d`, `2w` in milliseconds; undefined if it is none of them. */
function readDuration(text: string): number | undefined {
  const match = /^([1-9]\d{0,4})([mhdw])$/.exec(text);
  return match ? Number(match[1]) * UNITS_MS[match[2] as keyof typeof UNITS_MS] : undefined;
}

/** What `codelab rules add` was given. */
export interface RuleWords {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly tool: string;
  readonly path?: string | undefined;
  readonly host?: string | undefined;
  readonly command?: string | undefined;
  readonly exact?: boolean | undefined;
  readonly proxy?: boolean | undefined;
  readonly expires?: string | undefined;
}

/** What a shell gets for options that don't fit together. */
const USAGE = 2;

/** The rule that the options say, checked as the servers check it. Throws `CommandError` with what to do. */
export function buildRule({ effect, tool, path, host, command, exact, proxy, expires }: RuleWords, nowMs: number): LooseRule {
  const words = command === undefined ? undefined : splitWords(command);
  if (command !== undefined && words === undefined)
    throw new CommandError(
      `--command ${JSON.stringify(command)} is no plain command: give its first words, without pipes, variables and globs.`,
      USAGE,
    );
  const lasts = expires === undefined ? undefined : readDuration(expires);
  if (expires !== undefined && lasts === undefined)
    throw new CommandError(`--expires ${expires} is no time: give one such as 12h, 7d or 2w.`, USAGE);
  if (exact && words === undefined) throw new CommandError('--exact goes with --command.', USAGE);
  const fields = {
    ...{ effect, tool, path, host, command: words, exact: exact || undefined, proxy: proxy || undefined },
    expires_at_ms: lasts === undefined ? undefined : nowMs + lasts,
  };
  const rule = JSON.parse(JSON.stringify(fields)) as LooseRule; // each key that a rule has is judged
  const parsed = parseRule(rule, effect === 'deny' ? 'deny' : 'allow');
  if (!parsed.ok) throw new CommandError(`There can't be such a rule: ${parsed.message}`, USAGE);
  return rule;
}

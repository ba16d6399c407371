import { parseRule } from '@codelab/tools';
import { CommandError } from '../command-error.js';
import type { LooseRule } from './describe-rule.js';
import { readDuration } from './read-duration.js';
import { splitWords } from './split-words.js';

/** What `codelab rules add` was given. */
export interface RuleWords {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly tool: string;
  readonly path?: string | undefined;
  readonly command?: string | undefined;
  readonly exact?: boolean | undefined;
  readonly proxy?: boolean | undefined;
  readonly expires?: string | undefined;
}

/** What a shell gets for options that don't fit together. */
const USAGE = 2;

/** The rule that the options say, checked as the servers check it. Throws `CommandError` with what to do. */
export function buildRule({ effect, tool, path, command, exact, proxy, expires }: RuleWords, nowMs: number): LooseRule {
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
  const rule: LooseRule = {
    effect,
    tool,
    ...(path === undefined ? {} : { path }),
    ...(words === undefined ? {} : { command: words }),
    ...(exact ? { exact } : {}),
    ...(proxy ? { proxy } : {}),
    ...(lasts === undefined ? {} : { expires_at_ms: nowMs + lasts }),
  };
  const parsed = parseRule(rule, effect === 'deny' ? 'deny' : 'allow');
  if (!parsed.ok) throw new CommandError(`There can't be such a rule: ${parsed.message}`, USAGE);
  return rule;
}

import { judgeCommand } from '../judge-command.js';
import type { SimpleCommand } from '../command-judgement.js';

/** The words of a rule that would have spared a question. */
interface SuggestedPrefix {
  readonly words: readonly string[];
  /** These words and no more. */
  readonly exact: boolean;
}

/** Words of a rule at most; the wire carries no more. */
const MAX_WORDS = 64;

/** The name of a script or target. */
const NAME = /^\w[\w:.-]*$/;

/** Programs that check or test the workspace. Those that take code, or plugins, as arguments are not among them. */
const TOOL = /^(jest|vitest|mocha|tsc|biome)$/;

/** Beginnings of commands that say enough about what follows: no argument makes them run anything but the workspace as it is. */
const PREFIXES: readonly (readonly RegExp[])[] = [
  [/^(npm|pnpm|yarn|bun)$/, /^(run|run-script)$/, NAME],
  [/^(npm|pnpm|yarn|bun)$/, /^(test|t|start)$/],
  [/^(pnpm|yarn|bun)$/, /^(lint|dev|format|typecheck|check)$/],
  [/^(npx|bunx)$/, TOOL],
  [TOOL],
  [/^git$/, /^(add|commit|switch|checkout|restore|stash|tag|branch|rm|mv)$/],
  [/^cargo$/, /^(test|build|check|clippy|fmt|doc|bench|tree)$/],
  [/^go$/, /^(test|build|vet|fmt|doc|list)$/],
  [/^(make|gmake|just|task|rake)$/, NAME],
  [/^(gradle|\.\/gradlew|mvn|\.\/mvnw)$/, /^(test|build|check|clean|compile|package|verify)$/],
  [/^dotnet$/, /^(test|build|format)$/],
  [/^python3?$/, /^-m$/, /^(pytest|unittest|ruff|black)$/],
  [/^(pytest|ruff|black)$/],
  [/^docker$/, /^compose$/, /^(ps|logs|down|stop)$/],
  [/^docker$/, /^(ps|logs|images)$/],
];

const prefixesOf = ({ words }: SimpleCommand): readonly SuggestedPrefix[] =>
  PREFIXES.filter((pattern) => pattern.length <= words.length && pattern.every((word, index) => word.test(words[index]!))).map(
    (pattern) => ({
      words: words.slice(0, pattern.length),
      exact: false,
    }),
  );

const isSame = (left: SimpleCommand, right: SimpleCommand): boolean => JSON.stringify(left.words) === JSON.stringify(right.words);

/**
 * Rules that a human could make of a command, narrowest first: the exact command, then what can be said about others of its kind without allowing
 * arbitrary code. Of a line with several commands only the one that asks can be allowed, and only as it is. Nothing for a line of which not all is
 * known, or that is refused.
 */
export function suggestPrefixes(command: string): readonly SuggestedPrefix[] {
  const { verdict, commands } = judgeCommand(command);
  if (verdict !== 'ask') return [];
  const asking = commands.filter((simple) => simple.verdict !== 'automatic');
  const [only, ...others] = asking;
  if (only === undefined || asking.some(({ literal }) => !literal) || others.some((other) => !isSame(only, other))) return [];
  if (only.words.length > MAX_WORDS) return [];
  const exact: SuggestedPrefix = { words: only.words, exact: true };
  if (commands.length === 1) return [exact, ...prefixesOf(only)];
  const moves = commands.some(({ words }) => words[0] === 'cd');
  return moves && only.runs.length === 0 ? [] : [exact];
}

import type { Directories } from './parse/directories.js';
import type { SimpleCommand } from './command-judgement.js';
import { judgeInvocation } from './judge-invocation.js';
import { MAX_COMMAND_CHARACTERS, parseLine } from './parse/parse-line.js';
import { readPlainLine, type PlainCommand } from './parse/plain-line.js';
import { programName } from './parse/program-name.js';
import { knownWord, type ShellWord } from './parse/shell-word.js';
import { stricter } from './stricter.js';
import { unwrap, type Unwrapped } from './parse/unwrap.js';
import { walkScript, type Finding, type Invocation, type Step } from './parse/walk-script.js';

/** Scripts inside scripts, as in `sh -c 'sh -c …'`. */
const MAX_DEPTH = 6;

/** Characters that are judged for one line, with all scripts inside it; those may be judged several times. */
const MAX_JUDGED = 4 * MAX_COMMAND_CHARACTERS;

/** What a script costs at least, in characters. */
const SCRIPT_COST = 64;

/** How far inside a line a script stands, and what may still be spent on it. */
interface Budget {
  readonly depth: number;
  readonly left: { characters: number };
}

/** Commands of a line. Nobody reads more before an approval. */
const MAX_COMMANDS = 400;

interface ScriptJudgement {
  readonly commands: readonly SimpleCommand[];
  /** Why the whole script asks, whatever its commands are. */
  readonly fault: string | undefined;
}

const SHELL = /^(sh|bash|dash|ash|zsh|ksh|mksh)$/;

const isSame = (own: readonly Step[], plain: readonly PlainCommand[]): boolean =>
  own.length === plain.length &&
  own.every((step, index) => {
    const other = plain[index]!;
    if (step.kind !== 'command' || step.assignments.length > 0) return false;
    const redirects = step.redirects.filter(({ text }) => !text.startsWith('<<')).map(({ text }) => text);
    return (
      isEqual(
        step.words.map(({ value }) => value),
        other.words,
      ) && isEqual(redirects, other.redirects)
    );
  });

const isEqual = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((value, index) => value === right[index]);

const ofFinding = ({ text, verdict, reason }: Finding): SimpleCommand => ({
  words: [],
  literal: false,
  verdict,
  reason,
  paths: [],
  directories: undefined,
  runs: [],
  wrappers: [],
  redirects: [],
  text,
});

/** The commands that `find -exec` and its like run for each file. */
function commandsOfFind(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  if (!/^(find|gfind|fd|fdfind)$/.test(programName(words[0]?.value ?? ''))) return [];
  const commands: ShellWord[][] = [];
  let current: ShellWord[] | undefined;
  for (const word of words) {
    if (current !== undefined && (word.value === ';' || word.value === '+')) current = undefined;
    else if (current !== undefined) current.push(word);
    else if (/^-(exec|execdir|ok|okdir|x|X)$|^--exec(-batch)?$/.test(word.value)) commands.push((current = []));
  }
  return commands;
}

/** What a command runs besides itself: scripts of wrappers, text that is fed to a shell, commands of `find`. */
function judgeInside(invocation: Invocation, unwrapped: Unwrapped, budget: Budget): readonly SimpleCommand[] {
  const { words, scripts, wrappers, floors } = unwrapped;
  const fed = SHELL.test(programName(words[0]?.value ?? '')) && invocation.feed !== undefined ? [invocation.feed] : [];
  const certain = unwrapped.certain && fed.length === 0 && invocation.assignments.length === 0 && invocation.redirects.every(isHarmless);
  const inner = [...scripts, ...fed].flatMap((script) => {
    const { commands, fault } = judgeScript(script, invocation.directories, deeper(budget));
    const finding: Finding[] =
      fault === undefined ? [] : [{ kind: 'finding', text: script, verdict: 'ask', reason: `the script ${fault}` }];
    return [...commands, ...finding.map(ofFinding)];
  });
  const found = commandsOfFind(words).flatMap((command) =>
    judgeStep({ ...invocation, words: command, redirects: [], assignments: [] }, deeper(budget)),
  );
  const floor = floors.reduce<(typeof floors)[number] | undefined>(
    (first, second) => (first === undefined ? second : stricter(first, second)),
    undefined,
  );
  return [...inner, ...found].map((command) => ({
    ...(floor === undefined ? command : { ...command, ...stricter<Pick<SimpleCommand, 'verdict' | 'reason'>>(command, floor) }),
    literal: command.literal && certain && found.length === 0,
    wrappers: [...wrappers, ...command.wrappers],
  }));
}

const deeper = ({ depth, left }: Budget): Budget => ({ depth: depth + 1, left });

const isHarmless = ({ kind, target }: Invocation['redirects'][number]): boolean => kind === 'duplicate' || target?.value === '/dev/null';

function judgeStep(step: Step, budget: Budget): readonly SimpleCommand[] {
  if (step.kind === 'finding') return [ofFinding(step)];
  const unwrapped = unwrap(step.words);
  const inside =
    budget.depth > MAX_DEPTH
      ? [ofFinding({ ...step, kind: 'finding', verdict: 'ask', reason: 'has too many scripts inside scripts' })]
      : judgeInside(step, unwrapped, budget);
  const scriptOnly = unwrapped.words.length === 0 && inside.length > 0;
  if (!scriptOnly) return [judgeInvocation(step, unwrapped), ...inside];
  const around = judgeInvocation(step, { ...unwrapped, words: [knownWord('true')] });
  return around.verdict === 'automatic' ? inside : [{ ...around, words: [], literal: false }, ...inside];
}

/**
 * Judges every command of a script, also those in substitutions and behind wrappers. A script that the two readers of command lines don't see alike
 * keeps its verdicts, but nothing of it is harmless or can be allowed by a rule.
 */
export function judgeScript(
  source: string,
  directories: Directories,
  budget: Budget = { depth: 0, left: { characters: MAX_JUDGED } },
): ScriptJudgement {
  budget.left.characters -= source.length + SCRIPT_COST;
  if (budget.left.characters < 0) return { commands: [], fault: 'takes too long to judge' };
  const parsed = parseLine(source);
  if (parsed.script === undefined) return { commands: [], fault: parsed.ok ? undefined : parsed.fault };
  const walk = walkScript(parsed.script, source, directories);
  const steps = walk.steps.slice(0, MAX_COMMANDS);
  const commands = steps.flatMap((step) => judgeStep(step, budget));
  const tooMany = walk.steps.length > MAX_COMMANDS ? `has more than ${String(MAX_COMMANDS)} commands` : undefined;
  const fault = parsed.ok ? (walk.fault ?? tooMany) : parsed.fault;
  const plain = fault === undefined ? readPlainLine(source) : undefined;
  if (plain !== undefined && isSame(walk.own, plain) && walk.own.length === walk.steps.length) return { commands, fault };
  return { commands: commands.map(asUnsure), fault };
}

const asUnsure = (command: SimpleCommand): SimpleCommand => ({
  ...command,
  literal: false,
  ...(command.verdict === 'automatic' ? { verdict: 'ask', reason: 'the line is more than plain commands' } : {}),
});

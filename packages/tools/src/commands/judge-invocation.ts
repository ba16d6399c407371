import { findAskReason } from './ask-reasons.js';
import { findCodeFiles } from './code/find-code-files.js';
import { placesOf } from './parse/directories.js';
import type { CommandVerdict, SimpleCommand } from './command-judgement.js';
import { judgeHarmless } from './harmless/judge-harmless.js';
import { findOperandFault } from './parse/operand-fault.js';
import { isForeignProgram, isSystemProgram, programName } from './parse/program-name.js';
import { findVitalTarget } from './refuse-paths.js';
import { findRefusal } from './refusals.js';
import type { ShellWord } from './parse/shell-word.js';
import { stricter } from './stricter.js';
import type { Unwrapped } from './parse/unwrap.js';
import type { Invocation, ShellRedirect } from './parse/walk-script.js';

interface Opinion {
  readonly verdict: CommandVerdict;
  readonly reason: string;
}

/** Builtins that change what later words mean. No rule can allow them, for it would not say what it allows. */
const CHANGES_SHELL =
  /^(export|alias|unalias|declare|typeset|local|readonly|set|unset|shopt|enable|hash|read|mapfile|readarray|getopts|trap|exec|eval|pushd|popd|setopt|umask)$/;

const ask = (reason: string): Opinion => ({ verdict: 'ask', reason });

/** Words that look like paths, also those that are values of options: `--file=x.y`, `-Fx/y`, `@x.y`. */
const pathsIn = (word: string): readonly string[] => {
  const value = /^--?[\w.-]+=(.+)$/s.exec(word)?.[1] ?? /^-\w(.+)$/s.exec(word)?.[1] ?? /^@?(.*)$/s.exec(word)![1]!;
  return /^[^-].*[/.]|^[~/]/.test(value) ? [value] : [];
};

function judgeProgram(words: readonly ShellWord[], { directories }: Invocation): Opinion & { readonly paths: readonly string[] } {
  const [first] = words;
  if (first === undefined) return { ...ask('runs nothing'), paths: [] };
  const refusal = findRefusal(words, directories);
  if (refusal !== undefined) return { verdict: 'refuse', reason: refusal, paths: [] };
  if (!first.known) return { ...ask('only the shell knows which program this is'), paths: [] };
  const harmless = judgeHarmless(words);
  if (!harmless.harmless) {
    const reason = isForeignProgram(first.value) ? `${first.value} is a program of its own` : findAskReason(programName(first.value));
    return {
      ...ask(harmless.fault ?? reason),
      paths: words.slice(1).flatMap(({ value }) => pathsIn(value)),
    };
  }
  const elsewhere = directories?.length !== 1 || directories[0] !== '';
  if (directories === undefined) return { ...ask('runs in a directory that only the shell knows'), paths: [] };
  if (elsewhere && programName(first.value) === 'git') return { ...ask('git may find another repository there'), paths: harmless.paths };
  return { verdict: 'automatic', reason: 'only looks', paths: harmless.paths };
}

function judgeRedirect({ kind, text, target }: ShellRedirect): Opinion | undefined {
  if (kind === 'duplicate') return undefined;
  if (target === undefined) return kind === 'text' ? undefined : ask('redirects to something unknown');
  if (!target.known) return ask(`redirects to what only the shell knows, ${text}`);
  if (kind === 'text') return undefined;
  if (kind === 'read') {
    const fault = findOperandFault(target.value);
    return fault === undefined ? undefined : ask(`reads ${fault}`);
  }
  if (target.value === '/dev/null') return undefined;
  const vital = findVitalTarget(target.value);
  return vital === undefined ? ask(`writes to ${target.value}`) : { verdict: 'refuse', reason: vital };
}

/** Opinions about everything around the program: wrappers, assignments, redirections, what it is fed. */
function judgeAround(invocation: Invocation, { words, floors, certain }: Unwrapped): readonly Opinion[] {
  const opinions: Opinion[] = [...floors];
  if (invocation.assignments.length > 0) opinions.push(ask(`sets ${invocation.assignments.join(', ')}`));
  opinions.push(...invocation.redirects.flatMap((redirect) => judgeRedirect(redirect) ?? []));
  if (!certain && floors.length === 0) opinions.push(ask('runs something that is not certain'));
  if (invocation.fed && words.length > 0 && !findCodeFiles(values(words), true).certain && findCodeFiles(values(words), false).certain) {
    opinions.push(ask('runs what another command writes'));
  }
  return opinions;
}

const values = (words: readonly ShellWord[]): readonly string[] => words.map(({ value }) => value);

/** Judges one command without its wrappers; what its scripts do is judged by itself. */
export function judgeInvocation(invocation: Invocation, unwrapped: Unwrapped): SimpleCommand {
  const { words, certain, wrappers } = unwrapped;
  const program = judgeProgram(words, invocation);
  const around = judgeAround(invocation, unwrapped);
  const code = findCodeFiles(values(words), invocation.fed);
  const opinion = around.reduce<Opinion>(stricter, program);
  const reads = invocation.redirects.flatMap(({ kind, target }) => (kind === 'read' && target?.known === true ? [target.value] : []));
  const first = words[0]?.value ?? '';
  const literal =
    certain &&
    words.length > 0 &&
    words.every(({ known }) => known) &&
    code.certain &&
    around.length === 0 &&
    !CHANGES_SHELL.test(first) &&
    (isSystemProgram(first) || isForeignProgram(first)) &&
    (invocation.directories !== undefined || (code.files.length === 0 && program.paths.length === 0));
  const from = (path: string): readonly string[] => placesOf(invocation.directories, path);
  return {
    words: words.flatMap(({ known, value }) => (known ? [value] : [])),
    literal,
    verdict: opinion.verdict,
    reason: opinion.reason,
    paths: [...new Set([...program.paths, ...reads].flatMap(from))],
    directories: invocation.directories,
    runs: [...new Set(code.files.flatMap(from))],
    wrappers,
    redirects: invocation.redirects.map(({ text }) => text),
    text: invocation.text,
  };
}

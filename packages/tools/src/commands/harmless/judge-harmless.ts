import { readHarmlessOptions } from './harmless-options.js';
import { judgeHarmlessFind } from './harmless-find.js';
import { judgeHarmlessGit } from './harmless-git.js';
import { HARMLESS_PROGRAMS } from './harmless-programs.js';
import { isSystemProgram, programName } from '../parse/program-name.js';
import type { ShellWord } from '../parse/shell-word.js';

type Harmlessness =
  | { readonly harmless: true; readonly paths: readonly string[] }
  /** `fault` says why, where the program by itself would be harmless. */
  | { readonly harmless: false; readonly fault: string | undefined };

const no = (fault?: string): Harmlessness => ({ harmless: false, fault });

/** `1,200p` and its like: the only scripts of `sed` that are sure to print and no more. */
const SED_PRINT = /^\d+(,(\d+|\$))?p$|^\$p$/;

/** Programs that show the names which a glob stands for, and nothing of what the files hold. */
const showsNamesOnly = (name: string, words: readonly ShellWord[]): boolean =>
  name === 'echo' || (name === 'ls' && words.some(({ value }) => /^-[A-Za-z1]*d[A-Za-z1]*$/.test(value)));

/** The shell looks for the names of a glob in one directory only; behind one that is a glob itself a link may lead anywhere. */
const looksInOneDirectory = (path: string): boolean => !/[*?[][^/]*\/[^/]/.test(path);

/** A path itself, or the directory in which its glob looks. */
const directoryOfGlob = (path: string): string => {
  const segments = path.split('/');
  const glob = segments.findIndex((segment) => /[*?[]/.test(segment));
  return glob < 0 ? path : segments.slice(0, glob).join('/') || '.';
};

function judge(name: string, args: readonly string[]): Harmlessness {
  if (name === 'sed') {
    const [option, script, ...files] = args;
    if (option !== '-n' || !SED_PRINT.test(script ?? '')) return no();
    const call = readHarmlessOptions({ operands: 'files' }, files);
    return call.ok ? { harmless: true, paths: call.paths } : no(call.fault);
  }
  const program = HARMLESS_PROGRAMS.get(name);
  if (program === undefined && name !== 'git' && name !== 'find') return no();
  const call = name === 'git' ? judgeHarmlessGit(args) : name === 'find' ? judgeHarmlessFind(args) : readHarmlessOptions(program!, args);
  const fault = call.ok ? program?.findFault?.(call) : call.fault;
  return call.ok && fault === undefined ? { harmless: true, paths: call.paths } : no(fault);
}

/**
 * Whether a command is harmless in any workspace: it ends, writes and runs nothing, and reads only plain relative paths that hold no secret by
 * their names. The paths still have to be checked against links.
 */
export function judgeHarmless(words: readonly ShellWord[]): Harmlessness {
  const [first, ...rest] = words;
  if (first?.known !== true || !isSystemProgram(first.value)) return no();
  const name = programName(first.value);
  if (name === 'command' && !/^-[vV]$/.test(rest[0]?.value ?? '')) return no();
  if (rest.some(({ known, glob }) => !known && !(glob && showsNamesOnly(name, rest)))) return no('a part of it is known to the shell only');
  const globs = rest.filter(({ glob }) => glob).map(({ value }) => value);
  if (!globs.every(looksInOneDirectory)) return no('a part of it is known to the shell only');
  const judged = judge(name, name === 'echo' ? globs : rest.map(({ value }) => value));
  return judged.harmless ? { harmless: true, paths: judged.paths.map(directoryOfGlob) } : judged;
}

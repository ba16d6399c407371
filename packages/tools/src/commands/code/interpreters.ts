import { findOperandFault } from '../parse/operand-fault.js';
import { programName } from '../parse/program-name.js';

/** The code of the workspace that a command runs. */
export interface CodeFiles {
  /** Files that hold or name that code, from where the command runs. */
  readonly files: readonly string[];
  /** These are the files, and no option puts others in their place. Only then can a rule be bound to them. */
  readonly certain: boolean;
}

/** How an interpreter is told what to run. */
interface Interpreter {
  /** Options without a value that change nothing about which code runs. */
  readonly flags: RegExp;
  /** Options after which a value follows that is no code. */
  readonly valued?: RegExp;
  /** Options after which code or the name of a module follows. */
  readonly inline?: RegExp;
  /** Options after which a file with code follows, or has it attached with `=`. */
  readonly loads?: RegExp;
  /** Words before the file: `deno run`. */
  readonly verb?: string;
}

const NODE: Interpreter = {
  flags:
    /^--(test|watch|trace-warnings|no-warnings|enable-source-maps|experimental-[a-z-]+|max-old-space-size=\d+|stack-trace-limit=\d+|expose-gc)$/,
  inline: /^(-e|-p|-pe|--eval|--print)$/,
  loads: /^(-r|--require|--import|--loader|--experimental-loader|--env-file)$/,
};
const PYTHON: Interpreter = { flags: /^-[bBdEIOqsSuvx]+$/, valued: /^-[WX]$/, inline: /^-[cm]$/ };
const SHELL: Interpreter = { flags: /^(-[aefhlmnuvx]+|--(login|noprofile|norc|posix))$/ };

const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^(node|nodejs|tsx|ts-node)$/, NODE],
  [/^(python|pypy)[0-9.]*$/, PYTHON],
  [/^(sh|bash|dash|ash|zsh|ksh|mksh)$/, SHELL],
  [/^(ruby|lua|luajit|perl)$/, { flags: /^-[wWtTU]$/, inline: /^-[eE]$/ }],
  [/^php$/, { flags: /^-[nq]$/, inline: /^-r$/ }],
  [/^deno$/, { flags: /^(-A|--allow-[a-z-]+|--no-prompt|--quiet|-q|--check)$/, verb: 'run' }],
  [/^(source|\.)$/, { flags: /^(?!)$/ }],
];

const UNCERTAIN: CodeFiles = { files: [], certain: false };

/** The files that a call of an interpreter runs; `undefined` for any other program. */
export function findScriptFiles(words: readonly string[], fed: boolean): CodeFiles | undefined {
  const interpreter = INTERPRETERS.find(([name]) => name.test(programName(words[0]!)))?.[1];
  if (interpreter === undefined) return undefined;
  const files: string[] = [];
  const certain = (): boolean => files.every((file) => findOperandFault(file) === undefined);
  let at = 1;
  if (interpreter.verb !== undefined) {
    if (words[1] !== interpreter.verb) return UNCERTAIN;
    at = 2;
  }
  for (; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === '--') continue;
    if (word === '-') return { files, certain: false };
    if (!word.startsWith('-')) {
      files.push(word);
      return { files, certain: certain() };
    }
    const equals = /^(--[^=]+)=(.*)$/s.exec(word);
    if (interpreter.inline?.test(word) === true) return { files, certain: certain() && words[at + 1] !== undefined };
    if (interpreter.loads?.test(equals?.[1] ?? word) === true) files.push(equals?.[2] ?? words[(at += 1)] ?? '');
    else if (interpreter.valued?.test(word) === true) at += 1;
    else if (!interpreter.flags.test(word)) return { files, certain: false };
  }
  return { files, certain: certain() && !fed };
}

import { RE2JS } from 're2js';
import { matchGlob } from '../policy/rules/match-glob.js';
import type { Instruction } from './instruction.js';

/** A file that the model works on; `text` as far as it is known. */
export interface WorkedOn {
  readonly path: string;
  readonly text?: string;
}

/** Globs that one with braces stands for, at most, and how long a glob or an expression may be. */
const MAX_ALTERNATIVES = 64;
const MAX_PATTERN = 512;

/** `src/{a,b}/*.ts` → both. */
function expandBraces(glob: string): readonly string[] {
  const open: string[] = [glob];
  const done: string[] = [];
  for (let next = open.pop(); next !== undefined && done.length + open.length < MAX_ALTERNATIVES; next = open.pop()) {
    const [whole, inner] = /\{([^{}]*)\}/.exec(next) ?? [];
    if (whole === undefined || inner === undefined) done.push(next);
    else for (const part of inner.split(',')) open.push(next.replace(whole, () => part));
  }
  return done;
}

/** A glob without a slash is about names at any depth. */
const matchesGlob = (glob: string, path: string): boolean =>
  glob.length <= MAX_PATTERN && expandBraces(glob).some((one) => matchGlob(one.includes('/') ? one : `**/${one}`, path));

const EXPRESSIONS = new Map<string, RE2JS | undefined>();
const MAX_EXPRESSIONS = 256;

/** Linear in the text, whatever the expression; one that can't be read finds nothing. */
const compile = (source: string): RE2JS | undefined => {
  if (EXPRESSIONS.has(source)) return EXPRESSIONS.get(source);
  if (EXPRESSIONS.size >= MAX_EXPRESSIONS) EXPRESSIONS.clear();
  let compiled: RE2JS | undefined;
  try {
    compiled = source.length <= MAX_PATTERN ? RE2JS.compile(source, RE2JS.MULTILINE) : undefined;
  } catch {
    compiled = undefined; // what people write needn't be an expression
  }
  EXPRESSIONS.set(source, compiled);
  return compiled;
};

const isIn = (directory: string, path: string): boolean => path === directory || path.startsWith(`${directory}/`);

/** Whether an instruction of use `by_file` is about a file: all that it names must fit. */
export function appliesTo({ directory, globs, regex }: Instruction, { path, text }: WorkedOn): boolean {
  if (directory !== undefined && !isIn(directory, path)) return false;
  if (globs?.some((glob) => matchesGlob(glob, path)) === false) return false;
  return regex === undefined || (text !== undefined && regex.some((source) => compile(source)?.matcher(text).find() === true));
}

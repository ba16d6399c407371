import { HARMLESS_PROGRAMS, type HarmlessProgram } from '../harmless/harmless-programs.js';
import { isForeignProgram, programName } from '../parse/program-name.js';
import { DOCKER } from './docker.js';
import { GIT } from './git.js';
import { JAVASCRIPT } from './javascript.js';
import { JVM_AND_DOTNET } from './jvm-and-dotnet.js';
import { PYTHON } from './python.js';
import { RECIPES } from './recipes.js';
import type { RuleOptions, RuleOptionsByWords } from './rule-options.js';
import { RUST_AND_GO } from './rust-and-go.js';

const TABLE: RuleOptionsByWords = [GIT, JAVASCRIPT, PYTHON, RUST_AND_GO, RECIPES, JVM_AND_DOTNET, DOCKER].flat();

/** A program that nothing is known of: operands that are paths of the workspace, and no option. */
const UNKNOWN: RuleOptions = { style: 'apart' };

const ofHarmless = ({ flags = '', valued = '', attached = '', long = '', longValued = '' }: HarmlessProgram): RuleOptions => ({
  style: 'joined',
  flags: `${[...flags].join(' ')} ${long}`,
  attached: [...attached].join(' '),
  texts: `${[...valued].join(' ')} ${longValued}`,
});

/** The options that a rule lets a command be called with, and how many of its words are its name. */
export function findRuleOptions([first = '', ...rest]: readonly string[]): { readonly options: RuleOptions; readonly start: number } {
  const name = isForeignProgram(first) ? first : programName(first);
  const words = [name, ...rest];
  const found = TABLE.find(([pattern]) => pattern.every((word, index) => word.test(words[index] ?? '')));
  if (found !== undefined) return { options: found[1], start: found[0].length };
  const harmless = HARMLESS_PROGRAMS.get(name);
  return { options: harmless === undefined ? UNKNOWN : ofHarmless(harmless), start: 1 };
}

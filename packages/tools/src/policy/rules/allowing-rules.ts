import { fitsHost } from '../../secrets/secret-source.js';
import { matchGlob } from './match-glob.js';
import type { CommandCall, PolicyCall } from '../policy-call.js';
import { resolveInside } from '../resolve-inside.js';
import type { PolicyRule, PolicySession, RuleFile } from '../policy-session.js';
import { isAboutTool, isLiving } from './rule-reach.js';
import type { SimpleCommand } from '../../commands/command-judgement.js';
import { placesOf } from '../../commands/parse/directories.js';
import { readRuleOperands } from '../../commands/rule-options/read-rule-operands.js';

/** The part of a rule that speaks of commands. */
export interface CommandRule {
  /** The first words of each command, after its wrappers. */
  readonly command: readonly string[];
  /** They are all of its words. */
  readonly exact?: boolean | undefined;
}

/**
 * Whether a rule covers one command, as far as its words tell: it begins with the words of the rule, and what else it has are options that a rule
 * may allow for this program and paths in the workspace, also those in values of options. What the rule names word by word may be anything.
 *
 * @param cwd where the line starts, `''` for the workspace
 */
export function coversWords({ command, exact = false }: CommandRule, { words, paths, directories }: SimpleCommand, cwd: string): boolean {
  if (!command.every((word, index) => words[index] === word)) return false;
  const isInside = (path: string): boolean => resolveInside(cwd, path) !== undefined;
  if (exact) return words.length === command.length && paths.every((path) => isInside(path) || command.some((word) => word.endsWith(path)));
  const operands = readRuleOperands(words, command.length);
  if (operands === undefined || (operands.length > 0 && directories === undefined)) return false;
  return operands.every((path) => !/^[\\~]|^[A-Za-z]:/.test(path) && placesOf(directories, path).every(isInside));
}

/** What allows a call, and what the executor has to verify for it. */
export interface Allowance {
  readonly ruleId?: string;
  readonly operands?: readonly RuleFile[];
}

/** A path that the executor takes for exactly the file that the glob is compared with. */
const isPlain = (path: string): boolean => resolveInside('', path) !== undefined && !path.split('/').includes('..');

const allowsPaths = ({ path: glob, command, files, host }: PolicyRule, { paths, host: called }: PolicyCall): boolean => {
  if (command !== undefined || files !== undefined) return false;
  if (host !== undefined && (called === undefined || !fitsHost(host, called))) return false;
  if (glob === undefined) return true;
  return paths !== undefined && paths.length > 0 && paths.every((path) => isPlain(path) && matchGlob(glob, path));
};

/** A command that no rule is needed for, in the modes that let harmless ones run. */
const isHarmless = ({ verdict, runs }: SimpleCommand): boolean => verdict === 'automatic' && runs.length === 0;

const bindsAll = ({ files = [] }: PolicyRule, runs: readonly string[], cwd: string): boolean =>
  runs.every((file) => {
    const path = resolveInside(cwd, file);
    return path !== undefined && files.some((bound) => resolveInside('', bound.path) === path);
  });

const isDigest = ({ sha256 }: RuleFile): boolean => /^[0-9a-f]{64}$/.test(sha256);

/** Whether a rule allows one command of a line. Code of the workspace needs a rule that binds every file of it. */
const coversCommand = (rule: PolicyRule, simple: SimpleCommand, { cwd }: CommandCall, checksFiles: boolean): boolean => {
  if (rule.path !== undefined || !simple.literal || cwd === undefined) return false;
  if (rule.files !== undefined && !(checksFiles && rule.files.every(isDigest))) return false;
  if (rule.command === undefined && rule.files !== undefined) return false;
  const covers = rule.command === undefined || coversWords({ command: rule.command, exact: rule.exact }, simple, cwd);
  return covers && bindsAll(rule, simple.runs, cwd);
};

const mergeFiles = (rules: readonly PolicyRule[]): readonly RuleFile[] | undefined => {
  const files = new Map<string, string>();
  for (const { path, sha256 } of rules.flatMap((rule) => rule.files ?? [])) {
    if ((files.get(path) ?? sha256) !== sha256) return undefined;
    files.set(path, sha256);
  }
  return [...files].map(([path, sha256]) => ({ path, sha256 }));
};

const allowCommand = (rules: readonly PolicyRule[], command: CommandCall, checksFiles: boolean): Allowance | undefined => {
  const asked = command.commands.filter((simple) => !isHarmless(simple));
  const found = asked.map((simple) => rules.findLast((rule) => coversCommand(rule, simple, command, checksFiles)));
  const used = found.filter((rule) => rule !== undefined);
  if (used.length === 0 || used.length < found.length) return undefined;
  const operands = mergeFiles(used);
  if (operands === undefined) return undefined;
  return { ruleId: used[0]!.ruleId, operands: operands.length === 0 ? undefined : operands };
};

/** The rule of a human that allows a call; for a line of commands one for each that isn't harmless. */
export function findAllowance(call: PolicyCall, { rules = [], nowMs, origin, checksFiles = false }: PolicySession): Allowance | undefined {
  const counting = rules.filter(
    (rule) => rule.effect === 'allow' && isLiving(rule, nowMs) && (origin !== 'proxy' || rule.proxy === true) && isAboutTool(rule, call),
  );
  if (call.command !== undefined) return allowCommand(counting, call.command, checksFiles);
  const rule = counting.findLast((candidate) => allowsPaths(candidate, call));
  return rule && { ruleId: rule.ruleId };
}

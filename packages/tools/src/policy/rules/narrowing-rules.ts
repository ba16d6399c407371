import { matchLoosely } from './match-glob.js';
import type { CommandCall, PolicyCall } from '../policy-call.js';
import { isLiving } from './rule-reach.js';
import type { PolicyRule, PolicySession } from '../policy-session.js';

/** How sure it is that a rule is about a call. */
type Hit = 'sure' | 'maybe' | undefined;

const programOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).toLowerCase();

const isAbout = (rule: readonly string[], { words, literal }: CommandCall['commands'][number]): Hit => {
  const [program, ...rest] = rule;
  const [first, ...operands] = words;
  if (first === undefined) return 'maybe';
  if (programOf(program ?? '') !== programOf(first)) return literal ? undefined : 'maybe';
  if (rest.every((word, index) => operands[index] === word)) return 'sure';
  let next = 0;
  for (const word of operands) if (word === rest[next]) next += 1;
  return next === rest.length || !literal ? 'maybe' : undefined; // `git -C . push` is a `git push`, too
};

const hitCommand = ({ command: words }: PolicyRule, { command }: PolicyCall): Hit => {
  if (words === undefined) return 'sure';
  if (command === undefined) return undefined;
  if (command.commands.length === 0) return 'maybe';
  const hits = command.commands.map((simple) => isAbout(words, simple));
  return hits.includes('sure') ? 'sure' : hits.includes('maybe') ? 'maybe' : undefined;
};

/** Where the paths are not known, a rule about paths can only make a human look; so can one about what may lie below them. */
const hitPath = ({ path: glob }: PolicyRule, { about, paths, command }: PolicyCall): Hit => {
  if (glob === undefined) return 'sure';
  const deep = about?.deep === true;
  const known = paths ?? command?.commands.flatMap((simple) => simple.paths) ?? [];
  const matches = known.map((path) => matchLoosely(glob, path));
  if (matches.some((match) => match === 'whole' || (deep && match === 'all below'))) return 'sure';
  return paths === undefined || (deep && matches.includes('some below')) ? 'maybe' : undefined;
};

/** The strongest that a rule that asks or denies says of the call: deny beats ask. */
export function findNarrowingRule(call: PolicyCall, { rules = [], nowMs }: PolicySession): { deny: PolicyRule } | 'ask' | undefined {
  let ask = false;
  for (const rule of rules) {
    if (rule.effect === 'allow' || !isLiving(rule, nowMs) || (rule.tool !== '*' && rule.tool !== call.name)) continue;
    const hits = [hitCommand(rule, call), hitPath(rule, call)];
    if (hits.includes(undefined)) continue;
    if (rule.effect === 'deny' && !hits.includes('maybe')) return { deny: rule };
    ask = true;
  }
  return ask ? 'ask' : undefined;
}

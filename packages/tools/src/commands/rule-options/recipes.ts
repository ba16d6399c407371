import type { RuleOptions, RuleOptionsByWords } from './rule-options.js';

/** Programs that read what to run from one file; a rule is bound to its content. */
const recipes = (options: Omit<RuleOptions, 'operands'>): RuleOptions => ({ ...options, operands: 'targets' });

const MAKE = recipes({
  style: 'joined',
  flags: 'B b i k m n q r s t silent quiet always-make dry-run just-print keep-going ignore-errors question touch no-print-directory',
  attached: 'j',
});

export const RECIPES: RuleOptionsByWords = [
  [[/^g?make$/], MAKE],
  [[/^just$/], recipes({ style: 'joined', flags: 'l n q v list dry-run quiet verbose' })],
  [[/^task$/], recipes({ style: 'joined', flags: 'l s v list silent verbose' })],
  [[/^rake$/], recipes({ style: 'joined', flags: 'n q s t silent quiet dry-run trace tasks' })],
];

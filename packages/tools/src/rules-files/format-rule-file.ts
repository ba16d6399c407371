import { stringify } from 'yaml';
import type { RuleFile } from './rule-file.js';

const oneOrAll = (items: readonly string[] | undefined): string | readonly string[] | undefined => (items?.length === 1 ? items[0] : items);

/** Writes a rule as the file that `parseRuleFile` reads back. */
export function formatRuleFile({ name, description, globs, regex, alwaysApply, rule }: RuleFile): string {
  const fields = { name, description, globs: oneOrAll(globs), regex: oneOrAll(regex), alwaysApply };
  return `---\n${stringify(fields, { lineWidth: 0, blockQuote: false, aliasDuplicateObjects: false })}---\n\n${rule.trim()}\n`;
}

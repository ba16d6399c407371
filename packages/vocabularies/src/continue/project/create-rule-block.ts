import { formatRuleFile, ruleSlug, RULES_DIRECTORY } from '@codelab/tools';
import { canonicalError } from '../../table/composite.js';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { createFile } from '../files/create-file.js';
import { failed, fileItem, itemsResult } from '../items.js';

interface Args {
  readonly name: string;
  readonly rule: string;
  readonly description?: string;
  readonly globs?: string;
  readonly regex?: string;
  readonly alwaysApply?: boolean;
}

const pathFor = (name: string): string => `${RULES_DIRECTORY}/${ruleSlug(name)}.md`;
const listed = (text: string | undefined): readonly string[] | undefined => (text === undefined || text.trim() === '' ? undefined : [text]);

/** Saves a rule that is told to the model from then on. */
export const createRuleBlock = defineRow<Args>({
  name: 'create_rule_block',
  displayName: 'Create rule',
  description:
    'Saves a rule for later conversations in .codelab/rules, when the user wants something to be done the same way from now on. To change ' +
    'a rule that is there, edit its file.',
  parameters: takes(['name', 'rule'], {
    name: { type: 'string', minLength: 1, maxLength: 80, description: 'A short name: "No any".' },
    rule: { type: 'string', minLength: 1, maxLength: 20_000, description: 'The rule as an instruction, in Markdown.' },
    description: { type: 'string', maxLength: 1_000, description: 'When the rule is of use.' },
    globs: { type: 'string', maxLength: 1_000, description: 'Only for files that match: "**/*.ts"; several with commas.' },
    regex: { type: 'string', maxLength: 1_000, description: 'Only for files whose text matches this regular expression.' },
    alwaysApply: { type: 'boolean', description: 'true: always told; false: only where it fits or is asked for.' },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'write_file'],
  stands: 'write_file',
  composite: true,
  file: ({ name }) => pathFor(name),
  next: ({ name, rule, description, globs, regex, alwaysApply }, outcomes, context) => {
    const path = pathFor(name);
    const content = formatRuleFile({ name, description, globs: listed(globs), regex: listed(regex), alwaysApply, rule });
    const done = () => itemsResult(fileItem(path, `Rule saved: ${path}`, context, `The rule ${name}`));
    // An older client can't be told that there must be no file, so it is asked for the file first.
    if (!context.has('x2')) return createFile({ path, content, done }, outcomes, context);
    const [outcome] = outcomes;
    if (outcome === undefined) return { call: { tool: 'write_file', args: { path, content, expected_sha256: 'none' } } };
    if (outcome.ok) return done();
    return failed(
      outcome.code === 'CONFLICT' ? `Error: ${path} exists already; use an edit tool` : canonicalError(outcome.code, outcome.message),
    );
  },
});

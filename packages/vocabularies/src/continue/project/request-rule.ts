import { RULES_DIRECTORY } from '@codelab/tools';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { readNamedFile } from './named-files.js';

const fileName = (path: string): string => path.split('/').at(-1)!.replace(/\.md$/, '');

/** Reads a rule of the project by its name. */
export const requestRule = defineRow<{ readonly name: string }>({
  name: 'request_rule',
  displayName: 'Request rule',
  description: 'Reads a rule of the project by its name, where the rules that you were told mention one that fits what you do.',
  parameters: takes(['name'], { name: { type: 'string', minLength: 1, maxLength: 80, description: 'The name of the rule.' } }),
  policy: 'setting',
  readonly: true,
  idempotency: 'safe',
  needs: ['list_files', 'read_file'],
  stands: 'read_file',
  next: ({ name }, outcomes, context) =>
    readNamedFile(
      { directory: RULES_DIRECTORY, isOne: (path) => path.endsWith('.md'), nameOf: fileName, wanted: name, kind: 'rule' },
      outcomes,
      context,
    ),
});

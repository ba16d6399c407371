import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { VOCABULARY_NAMES } from '../vocabulary-names.js';
import { type Intent, TONGUES } from './intents.js';
import { rewriteUse } from './rewrite-use.js';

const INTENTS: readonly Intent[] = [
  { kind: 'read', path: 'a.ts' },
  { kind: 'read', path: 'a.ts', offset: 3, limit: 5 },
  { kind: 'write', path: 'a.ts', content: 'x\n' },
  { kind: 'edit', path: 'a.ts', from: 'x', to: 'y', all: false },
  { kind: 'edit', path: 'a.ts', from: 'x', to: 'y', all: true },
  { kind: 'command', command: 'npm test' },
  { kind: 'search', pattern: 'a.*b', path: 'src' },
  { kind: 'files', pattern: '*.ts' },
];

test.each(VOCABULARY_NAMES)(
  verifies('L3:rewritten-uses', 'what %s says is what it hears; what it has no words for it does not say'),
  (name) => {
    const { say, hear } = TONGUES[name];
    for (const intent of INTENTS) {
      const words = say(intent);
      if (words !== undefined) expect(hear(words.name, words.args)?.kind).toBe(intent.kind);
    }
    expect(hear('something_else', {})).toBeUndefined();
  },
);

test.each([
  [
    'claude-code',
    'Edit',
    { file_path: 'a', old_string: 'x', new_string: 'y' },
    'agent',
    'edit_file',
    { path: 'a', old_string: 'x', new_string: 'y' },
  ],
  [
    'agent',
    'read_file',
    { path: 'a', offset: 2, limit: 3 },
    'text-editor',
    'str_replace_based_edit_tool',
    { command: 'view', path: 'a', view_range: [2, 4] },
  ],
  ['text-editor', 'bash', { command: 'ls' }, 'continue', 'run_terminal_command', { command: 'ls' }],
  [undefined, undefined, { path: 'a' }, 'claude-code', 'Read', { file_path: 'a' }],
] as const)('%s %s %j is said in %s', (vocabulary, name, args, to, toName, toArgs) => {
  const stored = { tool_name: 'read_file', arguments: JSON.stringify(args), vocabulary, name };
  const words = rewriteUse(stored, to);
  expect(words && { name: words.name, args: JSON.parse(words.arguments) as unknown }).toEqual({ name: toName, args: toArgs });
});

test('a use in these words already, or in none that are known, stays what it was', () => {
  const stored = { tool_name: 'write_file', arguments: '{"file_path":"a","edits":[]}', vocabulary: 'claude-code', name: 'MultiEdit' };
  for (const to of ['claude-code', 'agent', 'of-tomorrow']) expect(rewriteUse(stored, to)).toBeUndefined();
  expect(rewriteUse({ ...stored, name: 'Read', arguments: 'no json' }, 'agent')).toBeUndefined();
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { findArgumentFault } from '../arguments/find-shape-fault.js';
import { reads } from '../policy/policy-row.js';
import { readExecutorTools } from './executor-tools.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';

const DOC = readFileSync(new URL('../../../../docs/tools.md', import.meta.url), 'utf8');

/** The example of the page behind this word. */
const example = (word: string): string => new RegExp(`\`\`\`\\w+ ${word}\\n([^]*?)\`\`\``).exec(DOC)?.[1]?.trim() ?? '';
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');
const own = readFileSync(new URL(import.meta.url), 'utf8');

// oxfmt-ignore
const wordCount = defineTool({
  ...{ name: 'words.count', since: '2.1', group: 'file', access: 'readonly', description: 'Counts the words of a file.' },
  parameters: takes(['path'], { path: { type: 'string', description: 'Relative to the workspace.' } }),
  result: answer(['words'], { words: { type: 'integer' } }),
  ...{ essential: ['words'], errors: ['FILE_NOT_FOUND', ...PATH_ERRORS], limits: ['1 MB'] },
  policy: reads('counts words'),
  paths: { named: ['path'] },
  describe: ({ path }) => (typeof path === 'string' ? path : ''),
});

test(verifies('L3:docs-tools', 'the capability and the client’s own tool of docs/tools.md are what they are said to be'), () => {
  expect(plain(own)).toContain(plain(example('capability')));
  expect(wordCount).toMatchObject({ idempotency: 'safe', deadlineMs: 60_000 });
  expect(findArgumentFault(wordCount, { path: 'a' })).toBeUndefined();
  expect(findArgumentFault(wordCount, {})).toBeDefined();

  const declared = { executor: 'c1', protocolVersion: '2.1', executorTools: `["read_file", ${example('client')}]` };
  expect(readExecutorTools(declared)).toMatchObject([
    { name: 'read_file' },
    { name: 'open_ticket', source: 'client', access: 'write', idempotency: 'unsafe' },
  ]);
});

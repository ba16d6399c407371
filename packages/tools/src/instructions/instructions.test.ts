import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { InstructionFile } from '@codelab/protocol';
import { appliesTo } from './applies-to.js';
import { readKnowledge } from './read-knowledge.js';
import { findUserAgent, modeOfAgent } from './user-agent.js';

const file = (path: string, content: string, scope: InstructionFile['scope'] = 'workspace'): InstructionFile => ({
  ...{ path, scope, content, bytes: content.length },
});
const read = (...files: InstructionFile[]) => readKnowledge(JSON.stringify({ files }));
const rule = (head: string): InstructionFile => file('.codelab/rules/r.md', `---\n${head}\n---\nText.`);

test.each([
  ['instructions of the root', file('AGENTS.md', 'a'), 'always'],
  ['those of a directory', file('packages/a/AGENTS.md', 'a'), 'by_file'],
  ["a person's own", file('AGENTS.md', 'a', 'user'), 'always'],
  ['a rule without front matter', file('.continue/rules/r.md', 'a'), 'always'],
  ['a rule that always applies', rule('globs: "*.ts"\nalwaysApply: true'), 'always'],
  ['a rule about files', rule('globs: "*.ts"'), 'by_file'],
  ['a rule about texts', rule('regex: foo'), 'by_file'],
  ['a rule that waits to be asked for', rule('description: For releases\nalwaysApply: false'), 'on_request'],
  ["a person's own rule", file('rules/r.md', '---\nalwaysApply: false\n---\nx', 'user'), 'on_request'],
])('%s', (_, given, use) => {
  expect(read(given).instructions).toMatchObject([{ use }]);
});

test.each([
  ['directory: below it', file('packages/a/AGENTS.md', 'x'), { path: 'packages/a/src/b.ts' }, true],
  ['directory: a name that only begins so', file('packages/a/AGENTS.md', 'x'), { path: 'packages/ab/b.ts' }, false],
  ['a name at any depth', rule('globs: "*.ts"'), { path: 'src/deep/a.ts' }, true],
  ['a path', rule('globs: "src/**/*.ts"'), { path: 'lib/a.ts' }, false],
  ['braces', rule('globs: "src/{a,b}/*.{ts,tsx}"'), { path: 'src/b/c.tsx' }, true],
  ['a text', rule('regex: "^import .* from \'react\'"'), { path: 'a.ts', text: "// x\nimport React from 'react'" }, true],
  ['a text that is not known', rule('regex: foo'), { path: 'a.ts' }, false],
  ['both must fit', rule('globs: "*.ts"\nregex: foo'), { path: 'a.js', text: 'foo' }, false],
  ['an expression that is none', rule('regex: "("'), { path: 'a.ts', text: '(' }, false],
])('an instruction is about a file by %s', (_, given, worked, expected) => {
  expect(appliesTo(read(given).instructions[0]!, worked)).toBe(expected);
});

test('no expression and no glob of a file costs more than its length', () => {
  const text = 'a'.repeat(200_000);
  const beganMs = performance.now();
  appliesTo(read(rule('regex: "(a+)+$b"')).instructions[0]!, { path: 'a.ts', text });
  appliesTo(read(rule(`globs: "${'{a,b}'.repeat(60)}"`)).instructions[0]!, { path: 'a'.repeat(200) });
  appliesTo(read(rule(`globs: "${'*a'.repeat(200)}"`)).instructions[0]!, { path: 'a'.repeat(250) });
  expect(performance.now() - beganMs).toBeLessThan(2_000);
});

test('an agent is a file; that of the workspace counts before that of the person', () => {
  const { agents, instructions } = read(
    file('agents/reviewer.md', '---\ndescription: own\n---\nReview.', 'user'),
    file(
      '.codelab/agents/reviewer.md',
      '---\nname: reviewer\ntools: read_file, search_in_project\nmodel: m\npolicy: read_only\n---\nReview it.',
    ),
  );
  expect(instructions).toEqual([]);
  const agent = findUserAgent(agents, 'reviewer');
  expect(agent).toMatchObject({ scope: 'workspace', tools: ['read_file', 'search_in_project'], model: 'm', prompt: 'Review it.' });
  expect(modeOfAgent(agent!)).toBe('ask');
});

test.each([
  ['policy: read_only', '', { policy: 'read_only', tools: undefined }],
  ['policy: read_only', 'policy: ask', { policy: 'read_only' }],
  ['policy: ask', 'tools: read_file', { policy: 'ask', tools: ['read_file'] }],
  ['tools: read_file', 'policy: ask', { policy: 'ask', tools: ['read_file'] }],
  ['tools: read_file, write_file', 'tools: write_file, run_command', { policy: undefined, tools: ['write_file'] }],
])(
  verifies('H1:user-agents', 'where the person says %j of an agent and the workspace %j, the limits of both hold'),
  (own, other, expected) => {
    const { agents } = read(
      file('agents/reviewer.md', `---\n${own}\n---\nReview.`, 'user'),
      file('.codelab/agents/reviewer.md', `---\n${other}\n---\nReview it.`),
    );
    expect(findUserAgent(agents, 'reviewer')).toMatchObject({ scope: 'workspace', prompt: 'Review it.', ...expected });
  },
);

test.each([
  ['the name of a mode', file('.codelab/agents/coder.md', 'Do all.')],
  ['no text', file('.codelab/agents/x.md', '---\nname: x\n---\n')],
  ['a name that is none', file('.codelab/agents/x.md', '---\nname: "x y/../z"\n---\nText.')],
  ['a text that was cut', { ...file('.codelab/agents/x.md', 'Text.'), omitted: 'cut' as const }],
])('%s makes no agent', (_, given) => {
  expect(read(given).agents).toEqual([]);
});

test('a policy that nobody knows narrows', () => {
  const agentOf = (policy: string) => read(file('.codelab/agents/x.md', `---\npolicy: ${policy}\n---\nText.`)).agents[0]!;
  expect([agentOf('allow_everything').policy, agentOf('ask').policy, agentOf('null').policy]).toEqual(['read_only', 'ask', undefined]);
});

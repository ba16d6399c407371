import { expect, test } from 'vitest';
import { agentEntries } from './agent-entries.js';

test('an agent is offered with what it is for, where it comes from and what it may not', () => {
  const own = { name: 'reviewer', description: 'Looks for races.', path: '.codelab/agents/reviewer.md', policy: 'read_only' };
  expect(agentEntries([{ name: 'coder', description: 'Reads, writes and runs.' }, own, { name: 1 }, null])).toEqual([
    { value: 'coder', label: 'coder', detail: 'Reads, writes and runs.' },
    { value: 'reviewer', label: 'reviewer', detail: 'Looks for races. · .codelab/agents/reviewer.md · only reads' },
  ]);
});

import { expect, test } from 'vitest';
import { NO_KNOWLEDGE, readKnowledge } from '@codelab/tools';
import { summariseContext } from './context-summary.js';

const knowledge = readKnowledge(
  JSON.stringify({ files: [{ path: 'AGENTS.md', scope: 'workspace', bytes: 370, content: 'x'.repeat(370) }] }),
);
const tool = { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } };
const prompt = JSON.stringify({ system: `${'y'.repeat(740)}${'x'.repeat(370)}`, tools: [tool], version: 3 });

test('instructions are counted apart from the rest of the system prompt, and everything is in the total', () => {
  const { tokens, prompt_version } = summariseContext(prompt, { first: knowledge, latest: knowledge }, [
    { role: 'user', turn_id: 't', message_id: 'm', content: 'z'.repeat(370), at_ms: 0 },
  ]);
  expect([tokens.system, tokens.instructions, prompt_version]).toEqual([200, 100, 3]);
  expect(tokens.history).toBeGreaterThanOrEqual(100);
  expect(tokens.total).toBe(tokens.system + tokens.instructions + tokens.tools + tokens.history);
});

test('what came after the beginning is listed, and counted where it stands: in the history', () => {
  const { tokens, instructions } = summariseContext(prompt, { first: NO_KNOWLEDGE, latest: knowledge }, []);
  expect(tokens).toMatchObject({ instructions: 0, history: 0 });
  expect(instructions).toMatchObject([{ path: 'AGENTS.md', tokens: 100 }]);
});

import { expect, test } from 'vitest';
import { AGENTS, decidePolicy, TOOLS } from '@codelab/tools';
import { NOTHING_KNOWN } from '../prompt/told.js';
import { findAgent } from './agent-modes.js';

const findMode = (name: string) => findAgent({ knowledge: NOTHING_KNOWN }, name);

const tools = (mode: string): string[] => TOOLS.filter(findMode(mode).allows).map(({ name }) => name);

test('the five modes are there, without a name it is the coder, and an unknown one may only read', () => {
  expect(AGENTS.map(({ name }) => findMode(name).name)).toEqual(['orchestrator', 'coder', 'architect', 'debug', 'ask']);
  expect([findMode('').name, findMode('nobody').name]).toEqual(['coder', 'ask']);
});

test('a mode shows no tool that could only be refused', () => {
  expect(tools('coder')).toEqual(TOOLS.map(({ name }) => name));
  for (const mode of ['ask', 'debug']) {
    expect(tools(mode)).toContain('read_file');
    expect(tools(mode)).not.toContain('write_file');
    expect(tools(mode)).not.toContain('apply_patch');
  }
  expect(tools('architect')).toContain('write_file');
});

test.each([
  ['architect', 'a.ts', 'deny'],
  ['architect', 'a.md', 'allow'],
  ['debug', 'a.md', 'deny'],
  ['ask', 'a.md', 'deny'],
  ['coder', 'a.ts', 'allow'],
] as const)('the policy narrows %s under the name of the mode: %s → %s', (agent, path, kind) => {
  expect(findMode(agent).name).toBe(agent);
  expect(decidePolicy(undefined, 'write_file', { path, content: '' }, { agent, mode: 'permissive' }).kind).toBe(kind);
});

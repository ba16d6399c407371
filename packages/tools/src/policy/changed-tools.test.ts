import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { decidePolicy } from './decide-policy.js';
import type { PolicyRule } from './policy-session.js';

const NAME = 'mcp__docs__search';
const tool = (changedAtMs?: number): ToolDefinition => ({
  ...{ name: NAME, description: '', parameters: { type: 'object' }, since: '1.0', group: 'process', access: 'write' },
  ...{ idempotency: 'unsafe', deadlineMs: 60_000, source: 'mcp', changedAtMs },
});
const decide = (rule: Partial<PolicyRule>, changedAtMs?: number) =>
  decidePolicy(
    tool(changedAtMs),
    NAME,
    {},
    {
      ...{ mode: 'medium', agent: 'coder', nowMs: 1_000 },
      rules: [{ effect: 'allow', tool: NAME, scope: 'user', ruleId: 'r', ...rule }],
    },
  ).kind;

test(
  verifies('H2:tool-changed', 'a rule that allows a tool does not count for what its server says of it later: a human is asked again'),
  () => {
    expect(decide({ madeAtMs: 100 })).toBe('allow');
    expect(decide({ madeAtMs: 100 }, 100)).toBe('allow');
    expect(decide({ madeAtMs: 99 }, 100)).toBe('ask');
    expect(decide({}, 100)).toBe('ask'); // nobody knows when it was made
    expect(decide({ effect: 'deny', madeAtMs: 99 }, 100)).toBe('deny');
    expect(decide({ tool: '*', madeAtMs: 99 }, 100)).toBe('ask');
  },
);

import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Rule } from '@codelab/protocol';
import type { JsonObject } from '../../arguments/json.js';
import { decidePolicy } from '../decide-policy.js';
import type { PolicyMode } from '../policy-row.js';
import { describeRule } from './describe-rule.js';
import { parseRule } from './parse-rule.js';
import { toPolicyRule } from './to-policy-rule.js';

const ROW = {
  modes: { medium: 'ask', strict: 'ask', permissive: 'allow' },
  risk: 'medium',
  does: 'reads a page',
  touches: 'nothing',
} as const;

const made = (rule: Rule) => {
  const parsed = parseRule(rule, 'allow');
  if (!parsed.ok) throw new Error(parsed.message);
  return toPolicyRule(parsed.rule, { scope: 'user', ruleId: 'r' });
};
const judge = (name: string, args: JsonObject, rules: readonly Rule[], mode: PolicyMode = 'medium') =>
  decidePolicy(undefined, name, args, { mode, agent: 'coder', rules: rules.map(made), ...(name === 'web.fetch' && { row: ROW }) });

describe(verifies('H1:rules-of-servers', 'a rule is about every tool of an MCP server, and never about a tool of ours'), () => {
  const github: Rule = { tool: 'mcp__github__*' };

  test.each<[string, Rule[], string]>([
    ['mcp__github__create_issue', [github], 'allow'],
    ['mcp__gitlab__create_issue', [github], 'ask'],
    ['mcp__github2__create_issue', [github], 'ask'],
    ['mcp__github__create_issue', [github, { effect: 'deny', tool: 'mcp__github__create_*' }], 'deny'],
    ['mcp__github__read', [github, { effect: 'deny', tool: 'mcp__github__create_*' }], 'allow'],
    ['mcp__github__create_issue', [github, { effect: 'ask', tool: 'mcp__*' }], 'ask'],
    ['jira_search', [{ tool: 'jira_*' }], 'allow'],
    ['read_file_too', [{ tool: 'jira_*' }], 'ask'],
  ])('%s under %j: %s', (name, rules, kind) => expect(judge(name, {}, rules).kind).toBe(kind));

  test.each<PolicyMode>(['strict', 'medium', 'permissive'])('one that forbids a server holds in mode %s', (mode) => {
    expect(judge('mcp__github__read', {}, [{ effect: 'deny', tool: 'mcp__github__*' }, github], mode).kind).toBe('deny');
  });

  test.each([
    [{ tool: 'read_*' }, 'read_file, too'],
    [{ tool: 'index.*', effect: 'deny' }, 'index.search, too'],
    [{ tool: 'mcp__*' }, 'too wide'],
    [{ tool: 'mcp__git*' }, 'too wide'],
    [{ tool: 'm*' }, 'move_file, too'],
    [{ tool: 'a*b' }, 'elsewhere than at its end'],
    [{ tool: '**' }, 'elsewhere than at its end'],
  ])('%j is refused: %s', (rule, words) =>
    expect(parseRule(rule, 'allow')).toEqual({ ok: false, message: expect.stringContaining(words) }),
  );

  test('a tool of a server is offered alone, and with its server', () => {
    const decision = judge('mcp__github__create_issue', {}, []);
    expect(decision).toMatchObject({
      kind: 'ask',
      proposals: [{ rule: { tool: 'mcp__github__create_issue' } }, { rule: { tool: 'mcp__github__*' } }],
    });
    expect(judge('mcp__github__odd*', {}, [])).toMatchObject({ kind: 'ask', proposals: undefined });
    expect(describeRule({ effect: 'deny', ...github })).toBe('forbids every tool of the MCP server github');
    expect(describeRule({ effect: 'allow', tool: 'jira_*' })).toBe('allows every tool whose name begins with jira_');
  });
});

describe(verifies('H1:rules-of-hosts', 'a rule about a host allows pages of this host alone'), () => {
  const docs: Rule = { tool: 'web.fetch', host: 'docs.example.com' };

  test.each([
    ['https://docs.example.com/a', [docs], 'allow'],
    ['https://DOCS.example.com./a', [docs], 'allow'],
    ['https://docs.example.com.evil.org/', [docs], 'ask'],
    ['https://evil.org/?docs.example.com', [docs], 'ask'],
    ['https://docs.example.com@evil.org/', [docs], 'ask'],
    ['https://a.example.com/', [{ tool: 'web.fetch', host: '*.example.com' }], 'allow'],
    ['https://example.com/', [{ tool: 'web.fetch', host: '*.example.com' }], 'ask'],
    ['no address', [docs], 'ask'],
    ['https://docs.example.com/a', [docs, { ...docs, effect: 'deny' as const }], 'deny'],
    ['no address', [{ ...docs, effect: 'deny' as const }], 'ask'],
  ])('%s under %j: %s', (url, rules, kind) => expect(judge('web.fetch', { url }, rules).kind).toBe(kind));

  test('the host is what is offered, and it goes with pages only', () => {
    expect(judge('web.fetch', { url: 'https://docs.example.com/a' }, [])).toMatchObject({
      proposals: [{ allows: 'web.fetch of pages of docs.example.com', rule: docs }],
    });
    expect(parseRule({ tool: 'read_file', host: 'a.b' }, 'allow')).toMatchObject({ message: '"host" goes with web.fetch only' });
    expect(parseRule({ ...docs, host: 'https://a.b' }, 'allow')).toMatchObject({ ok: false });
    expect(describeRule({ effect: 'allow', ...docs })).toBe('allows web.fetch of pages of docs.example.com');
  });
});

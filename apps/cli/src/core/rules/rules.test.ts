import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { renderAudit } from '../audit/render-audit.js';
import { paintLine } from '../text/paint-line.js';
import type { Line } from '../text/span.js';
import { buildRule, splitWords } from './build-rule.js';
import { describeRule, renderRules, readRuleSummary } from './render-rules.js';
const show = (lines: readonly Line[]): string[] => lines.map((line) => paintLine(line).trimEnd());

test.each<[string, readonly string[] | undefined]>([
  ['npm run test', ['npm', 'run', 'test']],
  ['  git commit  -m "a b" ', ['git', 'commit', '-m', 'a b']],
  [`echo 'it''s' a\\ b ""`, ['echo', 'its', 'a b', '']],
  ['a"b"c', ['abc']],
  ['ls | sh', undefined],
  ['rm $HOME', undefined],
  ['echo "$(id)"', undefined],
  ['ls *', undefined],
  ['"open', undefined],
  ['', undefined],
  ['a\nb', undefined],
])('the words of %j', (command, words) => expect(splitWords(command)).toEqual(words));

test(
  verifies('H1:rule-words', 'a rule is what the options say, checked as the servers check it; what is no rule is refused with what to do'),
  () => {
    expect(buildRule({ effect: 'allow', tool: 'run_command', command: 'npm test', exact: true, expires: '7d' }, 1_000)).toEqual({
      effect: 'allow',
      tool: 'run_command',
      command: ['npm', 'test'],
      exact: true,
      expires_at_ms: 604_801_000,
    });
    expect(buildRule({ effect: 'deny', tool: '*', path: 'secrets/**' }, 0)).toEqual({ effect: 'deny', tool: '*', path: 'secrets/**' });
    for (const [words, message] of [
      [{ effect: 'allow', tool: 'run_command', command: 'ls | sh' }, /no plain command/],
      [{ effect: 'allow', tool: 'run_command', expires: 'soon' }, /--expires soon is no time/],
      [{ effect: 'allow', tool: 'write_file', exact: true }, /--exact goes with --command/],
      [{ effect: 'allow', tool: '', path: '' }, /There can't be such a rule/],
    ] as const)
      expect(() => buildRule(words, 0)).toThrow(message);
  },
);

test('a rule is described from its fields; two rules never read alike, and a field that is not known is shown', () => {
  expect(describeRule({ effect: 'allow', tool: 'run_command', command: ['echo', 'a b'], exact: true })).toBe(
    "run_command · the command “echo 'a b'” and no more",
  );
  expect(describeRule({ tool: '*', path: '**', files: [{ path: 'a' }, { path: 'b' }], proxy: true, expires_at_ms: 0 })).toBe(
    'every tool · paths ** · while a, b are unchanged · also for programs that come through the proxy · until 1970-01-01 00:00 UTC',
  );
  expect(describeRule({ tool: 'x', surprise: 1 })).toBe('x · surprise 1');
});

test('the list names id, scope, place, effect and what the rule does; nothing in it steers a terminal', () => {
  const rule = {
    rule_id: 'r1',
    scope: 'project',
    workspace_id: 'w',
    rule: { effect: 'deny', tool: 'write_file', path: 'a\x1b[2J' },
    created_at_ms: 1,
  };
  expect(show(renderRules([rule, {}].map(readRuleSummary), 61_000, 80))).toEqual([
    'deny   write_file · paths a\\x1b[2J',
    '       r1 · servers · project w · 1 min ago',
    'ask',
    '       servers · user',
  ]);
  expect(show(renderRules([], 0, 80))[0]).toMatch(/no rules yet/);
});

test('the audit is a table of time, tool, what it acts on, outcome, who and why', () => {
  const at = new Date(2026, 0, 2, 3, 4, 5).getTime();
  const entry = { at_ms: at, tool_name: 'run_command', target: 'npm test', outcome: 'approved', by: 'jo', reason: 'a\nb', rule_id: 'r1' };
  expect(show(renderAudit([entry, { at_ms: at, outcome: 'rule made', by: 'jo' }]))).toEqual([
    '2026-01-02 03:04:05  run_command  npm test  approved   jo  a b · rule r1',
    '2026-01-02 03:04:05                         rule made  jo',
  ]);
  expect(show(renderAudit([]))).toEqual(['Nothing was decided yet.']);
});

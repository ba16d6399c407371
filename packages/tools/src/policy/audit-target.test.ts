import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { auditTarget } from './audit-target.js';

test.each([
  ['write_file', { path: 'src/a.ts', content: 'private' }, 'src/a.ts'],
  ['move_file', { from: 'a.ts', to: 'b/c.ts' }, 'a.ts → b/c.ts'],
  ['run_command', { command: 'npm test -- --watch=false' }, 'npm test -- --watch=false'],
  ['run_command', { command: 'cat <<EOF\nprivate\nEOF' }, 'cat <<EOF …'],
  ['run_persistent', { action: 'start', process_id: 'dev', command: 'npm run dev' }, 'npm run dev'],
  ['run_persistent', { action: 'status', process_id: 'dev' }, 'status dev'],
  ['kill_process', { process_id: 'dev' }, 'dev'],
  ['git.branch', { action: 'switch', name: 'topic' }, 'switch topic'],
  ['git.commit', { message: 'private', files: ['a', 'b', 'c', 'd', 'e'] }, 'a, b, c and 2 more'],
  ['git.commit', { message: 'private' }, ''],
  ['apply_patch', { diff: '--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-private\n+public\n' }, 'x.txt'],
  ['apply_patch', { diff: 'private' }, ''],
  ['prompt_user', { message: 'private' }, ''],
  ['client__deploy', { token: 'private' }, ''],
])('%s %j acts on "%s"', (tool, args, expected) => {
  expect(auditTarget(tool, args)).toBe(expected);
});

test(verifies('H3:audit-target', 'a row of the audit trail says what was decided on, in one short line without secrets'), () => {
  const secret = ['ghp', 'Zk3vQ9xW2mL7pT4nB8cR1sD6fG5hJ0yUaEiO'].join('_');
  const long = `curl -H 'Authorization: token ${secret}' https://example.com/${'x'.repeat(500)}`;
  const shown = auditTarget('run_command', { command: long });
  expect(shown).not.toContain(secret);
  expect(shown.length).toBeLessThanOrEqual(120);
  expect(shown).toMatch(/^curl -H 'Authorization: token .*…$/);
  const late = `${'a '.repeat(40)}${secret}`;
  expect(auditTarget('run_command', { command: late })).not.toContain(secret.slice(0, 20));
});

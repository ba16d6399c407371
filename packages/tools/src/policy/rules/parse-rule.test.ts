import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { describeRule } from './describe-rule.js';
import { parseRule } from './parse-rule.js';
import { bindRule, toPolicyRule } from './to-policy-rule.js';

const SHA = 'a'.repeat(64);
const npmTest = { tool: 'run_command', command: ['npm', 'test'], files: [{ path: 'package.json' }] };

describe(
  verifies('H1:rules-to-the-letter', 'a rule is taken to the letter or refused with what is wrong, never with a part of it lost'),
  () => {
    test.each([
      [{ tool: 'write_file' }, { effect: 'allow', tool: 'write_file' }],
      [
        { tool: 'write_file', path: 'src/*' },
        { effect: 'allow', tool: 'write_file', path: 'src/*' },
      ],
      [{ tool: 'deploy' }, { effect: 'allow', tool: 'deploy' }],
      [
        { tool: '*', path: 'docs/**' },
        { effect: 'allow', tool: '*', path: 'docs/**' },
      ],
      [
        { tool: '*', effect: 'deny' },
        { effect: 'deny', tool: '*' },
      ],
      [npmTest, { effect: 'allow', ...npmTest }],
      [
        { tool: 'run_persistent', command: ['a'], exact: true, proxy: false, expires_at_ms: 1 },
        { effect: 'allow', tool: 'run_persistent', command: ['a'], exact: true, proxy: false, expires_at_ms: 1 },
      ],
    ])('%j', (value, rule) => expect(parseRule(value, 'allow')).toEqual({ ok: true, rule }));

    test.each<[unknown, string]>([
      [null, 'a rule must be an object'],
      [[], 'a rule must be an object'],
      [{}, '"tool" is missing'],
      [{ tool: 'write_file', when: 'always' }, '"when" is no field of a rule'],
      [{ tool: 'write_file', Path: 'a' }, '"Path" is no field of a rule'],
      [JSON.parse('{"tool":"write_file","__proto__":{}}'), '"__proto__" is no field of a rule'],
      [{ tool: 'write_file', constructor: 1 }, '"constructor" is no field of a rule'],
      [{ tool: 1 }, '"tool" must be the name of a tool'],
      [{ tool: '' }, '"tool" must be the name of a tool'],
      [{ tool: 'a\nb' }, '"tool" must be the name of a tool'],
      [{ tool: 'write_file', effect: 'Allow' }, '"effect" must be allow, ask or deny'],
      [{ tool: 'write_file', path: null }, '"path" must be a pattern of paths'],
      [{ tool: 'write_file', path: '../a' }, '"path" must not hold ".."'],
      [{ tool: 'write_file', path: 'a/../b' }, '"path" must not hold ".."'],
      [{ tool: 'write_file', path: '/etc/*' }, '"path" must be relative to the workspace'],
      [{ tool: 'write_file', path: '~/a' }, '"path" must be relative to the workspace'],
      [{ tool: 'write_file', path: 'C:/a' }, '"path" must be relative to the workspace'],
      [{ tool: 'write_file', path: 'a\\b' }, '"path" must not hold a backslash or a control character'],
      [{ tool: 'write_file', path: 'a\0' }, '"path" must not hold a backslash or a control character'],
      [{ tool: 'write_file', path: './' }, '"path" names nothing; "**" is every path'],
      [{ tool: 'write_file', path: 'a'.repeat(256) }, '"path" is longer than 255 characters'],
      [{ tool: 'run_command', command: 'npm test' }, '"command" must be a list of 1 to 64 words'],
      [{ tool: 'run_command', command: [] }, '"command" must be a list of 1 to 64 words'],
      [{ tool: 'run_command', command: ['a', ''] }, '"command" must be a list of 1 to 64 words'],
      [{ tool: 'run_command', command: ['a'], exact: 'yes' }, '"exact" must be true or false'],
      [{ tool: 'run_command', command: ['a'], files: [{ path: '*' }] }, '"files" names files, and "*" is a pattern'],
      [{ tool: 'run_command', command: ['a'], files: [{ path: 'a', mode: 1 }] }, '"files" has an unknown field "mode"'],
      [{ tool: 'run_command', command: ['a'], files: [{ path: '../a' }] }, '"files" has a path that must not hold ".."'],
      [{ tool: 'run_command', command: ['a'], files: [{ path: 'a', sha256: 'x' }] }, '"files" has a sha256 that is none'],
      [{ tool: 'write_file', expires_at_ms: 1.5 }, '"expires_at_ms" must be a time in Unix milliseconds'],
      [{ tool: 'write_file', proxy: 1 }, '"proxy" must be true or false'],
      [{ tool: 'write_file', command: ['a'] }, '"command" goes with run_command and run_persistent only'],
      [{ tool: '*', command: ['a'] }, '"command" goes with run_command and run_persistent only'],
      [{ tool: 'run_command', path: 'a' }, '"path" says nothing of run_command: its paths are not known'],
      [{ tool: 'deploy', path: 'a' }, '"path" says nothing of deploy: its paths are not known'],
      [{ tool: 'write_file', exact: true }, '"exact" and "files" go with "command"'],
      [{ ...npmTest, effect: 'deny' }, '"files" go with a rule that allows'],
      [{ tool: 'Write_File' }, '"Write_File" looks like write_file, but is not'],
      [{ tool: 'write\u200b_file' }, '"write\u200b_file" looks like write_file, but is not'],
      [{ tool: 'ｒead_file' }, '"ｒead_file" looks like read_file, but is not'],
      [{ tool: 'git_commit' }, '"git_commit" looks like git.commit, but is not'],
      [{ tool: 'run_command' }, 'the rule is too wide: it would allow every call of run_command; add "command" with its first words'],
      [
        { tool: 'delete_file' },
        'the rule is too wide: it would allow every call of delete_file; add "path" with the files that it may delete',
      ],
      [
        { tool: 'git.commit' },
        'the rule is too wide: it would allow every call of git.commit; add "path" with the files that it may stage',
      ],
      [
        { tool: '*' },
        'the rule is too wide: it would allow every call of every tool; add "path" with the files that it is about, or name one tool',
      ],
    ])('%j: %s', (value, message) => expect(parseRule(value, 'allow')).toEqual({ ok: false, message }));

    test('what was decided is its effect, and a rejection allows nothing', () => {
      expect(parseRule({ tool: 'run_command' }, 'deny')).toEqual({ ok: true, rule: { effect: 'deny', tool: 'run_command' } });
      expect(parseRule({ tool: 'write_file', effect: 'ask' }, 'deny')).toMatchObject({ ok: true });
      expect(parseRule({ tool: 'write_file', effect: 'allow' }, 'deny')).toEqual({
        ok: false,
        message: 'a rejection makes no rule that allows',
      });
    });

    test('no value makes it fail, and what it takes it takes again', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.jsonValue(),
            fc.record(
              {
                tool: fc.constantFrom('*', 'write_file', 'run_command'),
                path: fc.jsonValue(),
                command: fc.jsonValue(),
                files: fc.jsonValue(),
              },
              { requiredKeys: [] },
            ),
          ),
          (value) => {
            const parsed = parseRule(value, 'allow');
            if (parsed.ok) expect(parseRule(parsed.rule, 'allow')).toEqual(parsed);
            else expect(parsed.message).not.toBe('');
          },
        ),
      );
    });
  },
);

test('a rule takes the digests of its files from the preview, or says which one is missing', () => {
  expect(bindRule(npmTest, [{ path: 'package.json', sha256: SHA }])).toEqual({
    ...npmTest,
    files: [{ path: 'package.json', sha256: SHA }],
  });
  expect(bindRule(npmTest, [{ path: 'a', sha256: SHA }])).toBe(
    "the rule is bound to package.json, and the preview of the call doesn't say what it holds",
  );
  expect(bindRule({ tool: 'x' }, [])).toEqual({ tool: 'x' });
  expect(toPolicyRule({ ...npmTest, effect: 'allow', expires_at_ms: 5 }, { ruleId: 'r', scope: 'project' })).toEqual({
    effect: 'allow',
    tool: 'run_command',
    command: ['npm', 'test'],
    files: [{ path: 'package.json', sha256: '' }],
    scope: 'project',
    ruleId: 'r',
    expiresAtMs: 5,
  });
});

test.each([
  [{ effect: 'allow', tool: 'write_file', path: 'src/*' }, 'allows write_file on src/*'],
  [{ effect: 'deny', tool: '*' }, 'forbids every tool'],
  [
    { ...npmTest, effect: 'allow', proxy: true, expires_at_ms: 0 },
    'allows run_command for commands that begin with `npm test` while package.json stays as now also for programs that come through the proxy until 1970-01-01T00:00:00.000Z',
  ],
  [
    { effect: 'ask', tool: 'run_command', command: ['echo', 'a b', 'x\n'], exact: true },
    'asks for run_command for exactly `echo "a b" "x\\n"`',
  ],
] as const)('%j is said as one line', (rule, line) => expect(describeRule(rule as never)).toBe(line));

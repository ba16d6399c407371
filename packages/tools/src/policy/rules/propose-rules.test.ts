import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { posix } from 'node:path';
import { CANONICAL_TOOLS, findTool } from '../../tools/tools.js';
import { judgeCommand } from '../../commands/judge-command.js';
import type { JsonObject } from '../../arguments/json.js';
import { pathsOfCall } from '../call-paths.js';
import { decidePolicy } from '../decide-policy.js';
import { parseRule } from './parse-rule.js';
import type { PolicyDecision, PolicyRule } from '../policy-session.js';
import { proposeRules } from './propose-rules.js';
import { bindRule, toPolicyRule } from './to-policy-rule.js';

const SHA = 'a'.repeat(64);
const decide = (name: string, args: JsonObject, rules: readonly PolicyRule[] = [], mode: 'medium' | 'strict' = 'medium'): PolicyDecision =>
  decidePolicy(undefined, name, args, { mode, agent: 'coder', rules, checksFiles: true });
const patchOf = (...paths: string[]): JsonObject => ({
  diff: paths.map((path) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`).join(''),
});

/** The rule of a proposal as it would be kept after a human took it. */
const taken = (rule: unknown): PolicyRule => {
  const parsed = parseRule(rule, 'allow');
  if (!parsed.ok) throw new Error(parsed.message);
  const bound = bindRule(
    parsed.rule,
    (parsed.rule.files ?? []).map(({ path }) => ({ path, sha256: SHA })),
  );
  if (typeof bound === 'string') throw new Error(bound);
  return toPolicyRule(bound, { scope: 'session' });
};

test.each<[string, JsonObject, string[]]>([
  [
    'write_file',
    { path: 'src/a.js', content: '' },
    ['write_file on src/a.js only', 'write_file on any file directly in src/', 'write_file on any file in src/, at any depth'],
  ],
  [
    'write_file',
    { path: './a.js', content: '' },
    [
      'write_file on a.js only',
      'write_file on any file directly in the workspace',
      'write_file on any file in the workspace, at any depth',
    ],
  ],
  ['apply_patch', patchOf('src/a', 'src/b'), ['apply_patch on any file directly in src/', 'apply_patch on any file in src/, at any depth']],
  ['apply_patch', patchOf('src/x/a', 'src/b'), ['apply_patch on any file in src/, at any depth']],
  [
    'delete_file',
    { path: 'a' },
    [
      'delete_file on a only, with all that lies in it where it is a directory',
      'delete_file on any file directly in the workspace, with all that lies in it where it is a directory',
    ],
  ],
  [
    'git.commit',
    { message: 'x', files: ['src/a'] },
    [
      'git.commit on src/a only, along with all that is staged already',
      'git.commit on any file directly in src/, along with all that is staged already',
      'git.commit on any file in src/, at any depth, along with all that is staged already',
    ],
  ],
  ['deploy', { x: 1 }, ['deploy with any arguments']],
  [
    'run_command',
    { command: 'npm run test -- --watch', cwd: 'sub' },
    [
      'run_command: exactly `npm run test -- --watch`, in any directory of the workspace while sub/package.json stays as it is',
      'run_command: commands that begin with `npm run test` with plain options and paths of the workspace, in any directory of the workspace while sub/package.json stays as it is',
    ],
  ],
  ['run_command', { command: 'cp a b' }, ['run_command: exactly `cp a b`, in any directory of the workspace']],
])(
  verifies('H1:proposals', 'what a human is offered is the narrowest rule first, with exactly what it would allow') + ': %s %j',
  (name, args, allows) => {
    expect(proposeRules(name, args).map((proposal) => proposal.allows)).toEqual(allows);
    const asked = decide(name, args);
    expect(asked.kind === 'ask' && asked.proposals).toEqual(proposeRules(name, args));
  },
);

test.each<[string, JsonObject]>([
  ['write_file', { path: '.github/workflows/ci.yml', content: '' }],
  ['write_file', { path: '../a', content: '' }],
  ['write_file', { path: 'a*b', content: '' }],
  ['read_file', { path: '.env' }],
  ['apply_patch', { diff: 'nonsense' }],
  ['git.commit', { message: 'x' }],
  ['delete_file', { path: '.' }],
  ['run_command', { command: 'cat .env' }],
  ['run_command', { command: 'npm test $(x)' }],
  ['run_command', { command: 'rm -rf /' }],
  ['run_command', { command: '"' }],
  ['run_command', { command: 'git push', cwd: '..' }],
  ['run_command', { command: 1 }],
  ['Write_File', { path: 'a' }],
  ['*', {}],
])('nothing is offered for %s %j', (name, args) => expect(proposeRules(name, args)).toEqual([]));

test('nothing is offered that would not help', () => {
  for (const [name, args] of [
    ['run_command', { command: 'git push' }],
    ['delete_file', { path: 'a' }],
  ] as const) {
    const asked = decide(name, args, [], 'strict');
    expect(asked.kind === 'ask' && asked.proposals).toBeUndefined();
  }
  const bound = decidePolicy(undefined, 'run_command', { command: 'npm test' }, { mode: 'medium', agent: 'coder' });
  expect(bound.kind === 'ask' && bound.proposals).toBeUndefined();
  const ruled = decide('write_file', { path: 'a', content: '' }, [{ effect: 'ask', tool: '*', scope: 'user' }]);
  expect(ruled.kind === 'ask' && ruled.proposals).toBeUndefined();
});

const segment = fc.constantFrom('src', 'a.js', 'b', '.', '.env', '.git', 'x y', 'é', '*', 'Ä');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const command = fc
  .array(
    fc.constantFrom('npm', 'run', 'test', 'git', 'push', 'ls', 'cp', 'a', '../b', '&&', '|', ';', '-x', '$X', 'make', './run.sh', '"a b"'),
    { minLength: 1, maxLength: 7 },
  )
  .map((words) => words.join(' '));
const kinds = [
  fc.tuple(fc.constantFrom('write_file', 'delete_file', 'create_directory', 'read_file', 'list_files'), fc.record({ path })),
  fc.tuple(fc.constant('move_file'), fc.record({ from: path, to: path })),
  fc.tuple(
    fc.constant('apply_patch'),
    fc.array(path, { minLength: 1, maxLength: 3 }).map((paths) => patchOf(...paths)),
  ),
  fc.tuple(fc.constant('git.commit'), fc.record({ message: fc.constant('m'), files: fc.array(path, { minLength: 1, maxLength: 3 }) })),
  fc.tuple(fc.constantFrom('run_command', 'run_persistent'), fc.record({ command, cwd: path }, { requiredKeys: ['command'] })),
  fc.tuple(fc.constantFrom('deploy', ...CANONICAL_TOOLS), fc.constant({})),
] as fc.Arbitrary<[string, JsonObject]>[];
const call = fc.oneof(...kinds);
/** Two calls that a rule may well take for each other. */
const alike = fc.oneof(...kinds.map((kind) => fc.tuple(kind, kind)));

test('each proposal, taken, allows the call that it was made for', () => {
  let offered = 0;
  fc.assert(
    fc.property(call, ([name, args]) => {
      for (const { rule } of proposeRules(name, args)) {
        offered += 1;
        expect(decide(name, args, [taken(rule)])).toMatchObject({ kind: 'allow' });
      }
    }),
    { numRuns: 1000 },
  );
  expect(offered).toBeGreaterThan(200);
});

/** What the sentence of a rule says, computed in another way than by matching. */
const isNamed = (rule: PolicyRule, [name, args]: [string, JsonObject]): boolean => {
  if (rule.tool !== name) return false;
  if (rule.command !== undefined) {
    const asked = judgeCommand(args['command'] as string).commands.filter(({ verdict }) => verdict !== 'automatic');
    return asked.every(({ words }) =>
      words
        .join('\0')
        .concat('\0')
        .startsWith(`${rule.command!.join('\0')}\0`),
    );
  }
  if (rule.path === undefined) return true;
  const glob = rule.path;
  return pathsOfCall(findTool(name)!, args)!.every((given) => {
    const path = posix.normalize(given).replace(/\/$/, '');
    if (glob.endsWith('**')) return path.startsWith(glob.slice(0, -2)) && path.length > glob.length - 2;
    return glob.endsWith('*') ? posix.dirname(path) === (glob.slice(0, -2) || '.') : path === posix.normalize(glob);
  });
};

test('and nothing that it does not name', () => {
  let allowed = 0;
  fc.assert(
    fc.property(alike, ([made, other]) => {
      for (const { rule } of proposeRules(...made)) {
        const kept = taken(rule);
        if (decide(...other).kind === 'allow' || decide(...other, [kept]).kind !== 'allow') continue;
        allowed += 1;
        expect(isNamed(kept, other)).toBe(true);
      }
    }),
    { numRuns: 1500 },
  );
  expect(allowed).toBeGreaterThan(5);
});

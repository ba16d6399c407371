import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { CANONICAL_TOOLS } from '../tools/tools.js';
import type { JsonObject } from '../arguments/json.js';
import { findTool } from '../tools/tools.js';
import { decidePolicy } from './decide-policy.js';
import type { PolicyDecision, PolicyRule, PolicySession } from './policy-session.js';

const decide = (name: string, args: JsonObject = {}, session: Partial<PolicySession> = {}): PolicyDecision =>
  decidePolicy(findTool(name), name, args, { mode: 'medium', agent: 'coder', ...session });
const kind = (...call: Parameters<typeof decide>): string => decide(...call).kind;
const rule = (effect: PolicyRule['effect'], tool: string, rest: Partial<PolicyRule> = {}): PolicyRule => ({
  effect,
  tool,
  scope: 'user',
  ...rest,
});
const patchOf = (...paths: string[]): JsonObject => ({
  diff: paths.map((path) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`).join(''),
});

/** Arguments that nothing but the table judges. */
const PLAIN: Readonly<Record<string, JsonObject>> = {
  apply_patch: patchOf('src/a.js'),
  apply_patch_review: patchOf('src/a.js'),
  move_file: { from: 'a.js', to: 'b.js' },
  'git.branch': { action: 'create', name: 'x' },
  run_command: { command: 'git push' },
  run_persistent: { command: 'git push', process_id: 'x' },
  'git.commit': { message: 'm', files: ['src/a.js'] },
  kill_process: { process_id: 'x' },
};
const plain = (name: string): JsonObject => PLAIN[name] ?? { path: 'src/a.js' };

test(verifies('H1:plan', 'no rule lifts the mode: what changes something is refused, and so is a tool of another program'), () => {
  const rules = [rule('allow', '*'), rule('allow', 'run_command', { command: ['git', 'push'] })];
  const changes = ['write_file', 'apply_patch', 'delete_file', 'git.commit', 'run_command', 'other'];
  for (const name of changes) expect(kind(name, plain(name), { plans: true, mode: 'permissive', rules })).toBe('deny');
  for (const name of ['read_file', 'git.log', 'prompt_user']) expect(kind(name, plain(name), { plans: true })).toBe('allow');
});

test(
  verifies('H1:seed-commands', 'a client of the specification alone is asked about every run_command, whatever rules and mode say'),
  () => {
    const allowed = rule('allow', 'run_command', { command: ['git', 'push'] });
    for (const mode of ['medium', 'permissive', 'strict'] as const)
      for (const command of ['git status', 'ls', 'echo hello', 'git push', 'npm install'])
        expect(decide('run_command', { command }, { mode, rules: [allowed, rule('allow', '*')], isSeed: true })).toEqual({
          ...{ kind: 'ask', risk: 'high', reason: expect.any(String) },
        });
    expect(kind('run_command', { command: 'git status' })).toBe('allow');
    expect(kind('run_command', { command: 'git push' }, { rules: [rule('deny', 'run_command')], isSeed: true })).toBe('deny');
    expect(kind('read_file', { path: 'a' }, { isSeed: true })).toBe('allow');
  },
);

test.each(CANONICAL_TOOLS)(
  `${verifies('H1:within', 'a call is refused if one of the agents for whom it is made may not make it')}: %s`,
  (name) => {
    const agents = ['orchestrator', 'coder', 'architect', 'debug', 'ask'];
    for (const mode of ['strict', 'medium', 'permissive'] as const)
      for (const rules of [[], [rule('allow', '*')]])
        for (const agent of agents)
          for (const asking of agents) {
            const alone = [agent, asking].map((one) => kind(name, plain(name), { mode, rules, agent: one }));
            const together = kind(name, plain(name), { mode, rules, agent, within: ['coder', asking] });
            expect(together).toBe(alone.includes('deny') ? 'deny' : alone[0]);
          }
  },
);

describe(verifies('H1:policy-table', 'each of the 18 tools is judged by the table of its mode'), () => {
  const READS = ['read_file', 'list_files', 'search_in_project', 'git.diff', 'git.status', 'git.log'];
  const WRITES = ['write_file', 'apply_patch', 'create_directory', 'move_file'];
  const DANGEROUS = ['delete_file', 'git.commit', 'run_command', 'run_persistent', 'git.branch'];
  const rows: [string, string, string, string][] = [
    ...READS.map((name): [string, string, string, string] => [name, 'allow', 'ask', 'allow']),
    ...['apply_patch_review', 'prompt_user'].map((name): [string, string, string, string] => [name, 'allow', 'allow', 'allow']),
    ...WRITES.map((name): [string, string, string, string] => [name, 'ask', 'ask', 'allow']),
    ['kill_process', 'allow', 'ask', 'allow'],
    ...DANGEROUS.map((name): [string, string, string, string] => [name, 'ask', 'ask', 'ask']),
  ];
  test('none is left out', () => expect(rows.map(([name]) => name).sort()).toEqual([...CANONICAL_TOOLS].sort()));
  test.each(rows)('%s: medium %s, strict %s, permissive %s', (name, medium, strict, permissive) => {
    expect(kind(name, plain(name))).toBe(medium);
    expect(kind(name, plain(name), { mode: 'strict' })).toBe(strict);
    expect(kind(name, plain(name), { mode: 'permissive' })).toBe(permissive);
  });
  test('listing branches is reading', () => {
    expect(kind('git.branch', { action: 'list' })).toBe('allow');
    expect(kind('git.branch', { action: 'list' }, { mode: 'strict' })).toBe('ask');
    expect(kind('git.branch', {})).toBe('ask');
  });
  test.each(['medium', 'strict', 'permissive'] as const)('a tool of another program asks, in %s', (mode) => {
    expect(decide('deploy', { path: 'a' }, { mode })).toMatchObject({
      kind: 'ask',
      reason: 'deploy is a tool of another program',
      risk: 'medium',
    });
    expect(kind('__proto__', {}, { mode })).toBe('ask');
  });
  test.each([
    ['tides', 'http', 'tides is a tool by URL: its arguments leave this machine'],
    ['mcp__docs__find', 'mcp', 'mcp__docs__find is a tool of the MCP server docs'],
    ['find_docs', 'mcp', 'find_docs is a tool of an MCP server'],
  ] as const)('who is asked about %s reads where it runs', (name, source, reason) => {
    const tool = { ...findTool('delete_file')!, name, source };
    const decision = decidePolicy(tool, name, {}, { mode: 'medium', agent: 'coder', nowMs: 0 });
    expect(decision).toMatchObject({ kind: 'ask', reason });
  });
});

describe(verifies('H1:always-ask', 'paths that make programs run or hold secrets ask in every mode, whatever rule there is'), () => {
  const allowAll = { mode: 'permissive', rules: [rule('allow', '*'), rule('allow', '*', { path: '**' })] } as const;
  test.each([
    '.git/config',
    '.git/hooks/pre-commit',
    '.GIT/config',
    './.git/HEAD',
    'sub//.git/config',
    'a/./.Git/x',
    '.git./config',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
    'GIT~1/config',
    '.g\u200cit/config',
    '.husky/pre-commit',
    '.githooks/x',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.vscode/tasks.json',
    '.VSCode/settings.json',
    'x.code-workspace',
    '.idea/workspace.xml',
    '.devcontainer/devcontainer.json',
    '.codelab/agents.yaml',
    '.claude/settings.json',
    'CLAUDE.md',
    'docs/AGENTS.md',
    '.mcp.json',
    '.cursorrules',
    '.env',
    '.env.local',
    'app/.ENV.production',
    '.envrc',
    '.gitattributes',
    '.gitmodules',
    '.github/workflows/ci.yml',
    '.GitHub',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    '.circleci/config.yml',
    'azure-pipelines.yml',
  ])('%s', (path) => {
    expect(decide('write_file', { path, content: '' }, allowAll)).toMatchObject({ kind: 'ask', risk: 'high' });
    expect(kind('move_file', { from: path, to: 'x' }, allowAll)).toBe('ask');
    expect(kind('move_file', { from: 'x', to: path }, allowAll)).toBe('ask');
  });

  test.each([
    'src/git/config',
    'gitx/a',
    '.gitignore',
    'src/env.ts',
    'environment',
    'agents.ts',
    'github/workflows/x',
    'README.md',
    'src/agents/x.md',
  ])('but not %s', (path) => expect(kind('write_file', { path, content: '' }, { mode: 'permissive' })).toBe('allow'));

  test('inside a patch too, in whichever of its names', () => {
    expect(kind('apply_patch', patchOf('a.js', '.git/hooks/post-checkout'), allowAll)).toBe('ask');
    expect(kind('apply_patch', { diff: 'diff --git a/x b/.ENV\nrename from x\nrename to .ENV\n' }, allowAll)).toBe('ask');
    expect(kind('apply_patch', { diff: 'diff --git "a/.\\147it/x" "b/.\\147it/x"\nnew file mode 100644\n' }, allowAll)).toBe('ask');
    expect(kind('apply_patch', patchOf('a.js', 'b.js'), allowAll)).toBe('allow');
  });

  test('a patch that cannot be read asks', () => expect(kind('apply_patch', { diff: 'nonsense' }, allowAll)).toBe('ask'));
  test('secrets ask before they are read; other such files may be read', () => {
    expect(kind('read_file', { path: 'app/.Env.local' })).toBe('ask');
    expect(kind('read_file', { path: '.github/workflows/ci.yml' })).toBe('allow');
  });
});

describe('agents only narrow', () => {
  const deny = (agent: string, name: string, args = plain(name)): string =>
    kind(name, args, { agent, mode: 'permissive', rules: [rule('allow', '*')] });
  test('architect writes only Markdown', () => {
    expect(deny('architect', 'write_file', { path: 'docs/a.md', content: '' })).toBe('allow');
    expect(deny('architect', 'apply_patch', patchOf('a.md', 'b.MD'))).toBe('allow');
    for (const args of [patchOf('a.md', 'b.js'), { diff: 'nonsense' }]) expect(deny('architect', 'apply_patch', args)).toBe('deny');
    expect(deny('architect', 'move_file', { from: 'a.md', to: 'a.js' })).toBe('deny');
    for (const name of ['write_file', 'run_command', 'create_directory', 'git.commit', 'deploy'])
      expect(deny('architect', name)).toBe('deny');
  });
  test('debug writes no files, but may run', () => {
    for (const name of ['write_file', 'apply_patch', 'delete_file', 'git.commit', 'move_file']) expect(deny('debug', name)).toBe('deny');
    for (const name of ['run_command', 'read_file', 'kill_process']) expect(deny('debug', name)).toBe('allow');
  });
  test('ask only reads', () => {
    const allowed = CANONICAL_TOOLS.filter((name) => deny('ask', name) !== 'deny');
    expect([...allowed].sort()).toEqual(
      ['apply_patch_review', 'git.diff', 'git.log', 'git.status', 'list_files', 'prompt_user', 'read_file', 'search_in_project'].sort(),
    );
    expect(deny('ask', 'git.branch', { action: 'list' })).toBe('allow');
    expect(deny('ask', 'deploy')).toBe('deny');
  });
  test.each(['coder', 'orchestrator', 'unheard of', '__proto__'])('%s has no limits of its own', (agent) => {
    expect(kind('write_file', plain('write_file'), { agent })).toBe('ask');
  });
});

describe('rules', () => {
  const writing = { path: 'src/a.js', content: '' };
  test.each([
    ['allow', [rule('allow', 'write_file')], 'allow'],
    ['allow by path', [rule('allow', 'write_file', { path: 'src/**' })], 'allow'],
    ['a rule for another path', [rule('allow', 'write_file', { path: 'test/**' })], 'ask'],
    ['a rule for another tool', [rule('allow', 'apply_patch')], 'ask'],
    ['deny beats ask and allow', [rule('allow', '*'), rule('ask', '*'), rule('deny', 'write_file', { path: 'SRC/*' })], 'deny'],
    ['ask beats allow', [rule('allow', '*'), rule('ask', '*', { path: '**/*.js' })], 'ask'],
    ['an allow that is over', [rule('allow', '*', { expiresAtMs: 1000 })], 'ask'],
    ['a deny that is over', [rule('deny', '*', { expiresAtMs: 1000 }), rule('allow', '*')], 'allow'],
    ['one that is not', [rule('allow', '*', { expiresAtMs: 1001 })], 'allow'],
  ])('%s', (_name, rules, expected) => expect(kind('write_file', writing, { rules, nowMs: 1000 })).toBe(expected));

  test('without a time, an expiring allow is gone and an expiring deny lives', () => {
    expect(kind('write_file', writing, { rules: [rule('allow', '*', { expiresAtMs: 9e15 })] })).toBe('ask');
    expect(kind('read_file', writing, { rules: [rule('deny', '*', { expiresAtMs: 1 })] })).toBe('deny');
  });
  test('an allow needs every path of a call, a deny needs one', () => {
    const rules = (effect: PolicyRule['effect']): PolicyRule[] => [rule(effect, 'apply_patch', { path: 'src/*' })];
    expect(kind('apply_patch', patchOf('src/a', 'src/b'), { rules: rules('allow') })).toBe('allow');
    expect(kind('apply_patch', patchOf('src/a', 'b'), { rules: rules('allow') })).toBe('ask');
    expect(kind('apply_patch', patchOf('src/a', 'b'), { rules: rules('deny') })).toBe('deny');
  });
  test('in strict no rule allows a command, a deletion, a commit or a branch; other calls it may', () => {
    const session = { mode: 'strict', rules: [rule('allow', '*')] } as const;
    for (const name of ['run_command', 'run_persistent', 'delete_file', 'git.commit', 'git.branch'])
      expect(kind(name, plain(name), session)).toBe('ask');
    for (const name of ['read_file', 'write_file', 'apply_patch', 'deploy']) expect(kind(name, plain(name), session)).toBe('allow');
    expect(kind('run_command', plain('run_command'), { ...session, mode: 'medium' })).toBe('allow');
  });
  test('a rule about paths never allows a call whose paths are not known, and makes it ask where it would forbid', () => {
    expect(kind('run_command', { command: 'git push' }, { rules: [rule('allow', '*', { path: '**' })] })).toBe('ask');
    expect(kind('run_command', { command: 'ls' }, { rules: [rule('allow', '*'), rule('deny', '*', { path: 'secret/**' })] })).toBe('ask');
  });
});

test(verifies('H1:narrowing', 'no agent, ask or deny ever lowers an answer, and no argument ever makes the function fail'), () => {
  const strength = { allow: 0, ask: 1, deny: 2 } as const;
  const args = fc.oneof(
    fc.constantFrom<JsonObject>({ path: 'a.md' }, { path: '.env' }, { from: 'x', to: '.git/x' }, patchOf('a.md', 'b'), { action: 'list' }),
    fc.dictionary(fc.constantFrom('path', 'diff', 'from', 'to', 'action'), fc.jsonValue()) as fc.Arbitrary<JsonObject>,
  );
  const rules = fc.array(
    fc.record({
      effect: fc.constantFrom('allow', 'ask', 'deny'),
      tool: fc.constantFrom('*', 'write_file', 'run_command', 'read_file'),
      path: fc.option(fc.constantFrom('**', '*.md', '**/x', '?'), { nil: undefined }),
      scope: fc.constant('user'),
    }),
    { maxLength: 3 },
  );
  const mode = fc.constantFrom('strict' as const, 'medium' as const, 'permissive' as const);
  const agent = fc.constantFrom('architect', 'debug', 'ask', 'orchestrator');
  const narrower = fc.constantFrom(rule('ask', '*'), rule('deny', '*'), rule('deny', '*', { path: '**' }));
  fc.assert(
    fc.property(
      fc.constantFrom(...CANONICAL_TOOLS, 'other'),
      args,
      mode,
      rules,
      agent,
      narrower,
      (name, given, ofMode, some, ofAgent, extra) => {
        const base = strength[decide(name, given, { mode: ofMode, rules: some }).kind];
        expect(strength[decide(name, given, { mode: ofMode, rules: some, agent: ofAgent }).kind]).toBeGreaterThanOrEqual(base);
        expect(strength[decide(name, given, { mode: ofMode, rules: [...some, extra] }).kind]).toBeGreaterThanOrEqual(base);
      },
    ),
    { numRuns: 2000 },
  );
});

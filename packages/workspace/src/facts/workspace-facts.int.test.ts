import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const read = () => temporary.workspace.facts.read(join(temporary.base, 'config'));
const files = async () => new Map((await read()).files?.map((file) => [`${file.scope}:${file.path}`, file]));

describe('the environment', () => {
  test('says what git, the manifest and the top of the tree say', async () => {
    temporary.write('package.json', JSON.stringify({ scripts: { test: 'jest' } }));
    temporary.write('pnpm-lock.yaml', '');
    temporary.write('src/a.ts', 'a');
    temporary.write('src/deep/b.ts', 'b');
    temporary.write('.gitignore', 'node_modules\n');
    temporary.write('node_modules/x/AGENTS.md', 'no');
    temporary.git('init', '--quiet', '--initial-branch=work');
    temporary.git('add', '.');
    temporary.git('commit', '--quiet', '--message=Begin');
    temporary.write('src/a.ts', 'changed');
    const { environment } = await read();
    expect(environment).toMatchObject({
      ...{
        root: temporary.root,
        branch: 'work',
        git_status: ' M src/a.ts',
        package_manager: 'pnpm',
        test_command: expect.stringMatching(/^pnpm test # /),
      },
      commits: expect.stringMatching(/^[0-9a-f]{7,} Begin$/),
      tree: '.gitignore\npackage.json\npnpm-lock.yaml\nsrc/: a.ts, deep/',
    });
    expect(environment?.os).not.toBe('');
    expect(environment?.shell).toMatch(/sh$/);
  });

  test('without a repository nothing is said of one; a workspace of ten thousand names is still a page', async () => {
    for (let at = 0; at < 2_000; at += 1) temporary.write(`file-${String(at).padStart(4, '0')}.txt`, '');
    const { environment } = await read();
    expect(environment?.branch).toBeUndefined();
    expect(environment?.tree?.length).toBeLessThan(1_700);
    expect(environment?.tree).toMatch(/… 1\d{3} more$/);
  });
});

test('instructions come in the order of their weight: the own ones, the root, rules, those below the root; agents last', async () => {
  temporary.write('AGENTS.md', 'root');
  temporary.write('CLAUDE.md', 'root');
  temporary.write('packages/a/AGENTS.md', 'below');
  temporary.write('.codelab/rules/one.md', 'rule');
  temporary.write('.continue/rules/two.md', 'other rule');
  temporary.write('.codelab/agents/reviewer.md', 'agent');
  temporary.write('.codelab/rules/notes.txt', 'no rule');
  for (const [path, text] of [
    ['AGENTS.md', 'own'],
    ['rules/three.md', 'own rule'],
    ['agents/helper.md', 'own agent'],
  ] as const) {
    mkdirSync(join(temporary.base, 'config', path, '..'), { recursive: true });
    writeFileSync(join(temporary.base, 'config', path), text);
  }
  expect([...(await files()).keys()]).toEqual([
    ...['user:AGENTS.md', 'workspace:AGENTS.md', 'user:rules/three.md', 'workspace:.codelab/rules/one.md'],
    ...[
      'workspace:.continue/rules/two.md',
      'workspace:packages/a/AGENTS.md',
      'user:agents/helper.md',
      'workspace:.codelab/agents/reviewer.md',
    ],
  ]);
});

test(
  verifies(
    'W1:instructions',
    'instruction files are read in the workspace only: no link leads out of it, nor to a file that holds secrets',
  ),
  async () => {
    writeFileSync(join(temporary.outside, 'secret.md'), 'SECRET');
    temporary.write('.env', 'KEY=SECRET');
    temporary.write('docs/AGENTS.md', 'shared');
    symlinkSync(join(temporary.outside, 'secret.md'), join(temporary.root, 'AGENTS.md'));
    symlinkSync('.env', join(temporary.root, 'CLAUDE.md'));
    mkdirSync(join(temporary.root, '.codelab/rules'), { recursive: true });
    symlinkSync('../../../outside/secret.md', join(temporary.root, '.codelab/rules/out.md'));
    symlinkSync('../../docs/AGENTS.md', join(temporary.root, '.codelab/rules/in.md'));
    symlinkSync(temporary.outside, join(temporary.root, '.continue'));
    mkdirSync(join(temporary.outside, 'rules'));
    writeFileSync(join(temporary.outside, 'rules/x.md'), 'SECRET');
    const found = await files();
    expect(JSON.stringify([...found.values()])).not.toContain('SECRET');
    expect(found.get('workspace:AGENTS.md')).toMatchObject({ omitted: 'unreadable' });
    expect(found.get('workspace:CLAUDE.md')).toMatchObject({ omitted: 'unreadable' });
    expect(found.get('workspace:.codelab/rules/in.md')).toMatchObject({ content: 'shared' });
  },
);

test('what is too long, no text or no file is named, and said to be so', async () => {
  temporary.write('AGENTS.md', `${'x'.repeat(99)}\n`.repeat(1_000));
  temporary.write('CLAUDE.md', Buffer.from([0, 1, 2]));
  temporary.write('.codelab/rules/giant.md', 'x'.repeat(2 * 1024 * 1024));
  execFileSync('mkfifo', [join(temporary.root, '.codelab/rules/pipe.md')]);
  for (const name of ['a', 'b', 'c']) temporary.write(`.codelab/rules/${name}.md`, `${name}\n`.repeat(15_000));
  const found = await files();
  expect(found.get('workspace:AGENTS.md')).toMatchObject({ omitted: 'cut', bytes: 100_000 });
  expect(found.get('workspace:AGENTS.md')?.content?.length).toBeLessThanOrEqual(32 * 1024);
  expect(found.get('workspace:AGENTS.md')?.content?.endsWith('x\n')).toBe(true);
  expect(found.get('workspace:CLAUDE.md')).toMatchObject({ omitted: 'binary', bytes: 3 });
  expect(found.get('workspace:.codelab/rules/giant.md')).toMatchObject({ omitted: 'too_large' });
  expect(found.get('workspace:.codelab/rules/pipe.md')).toMatchObject({ omitted: 'unreadable' });
  expect(found.get('workspace:.codelab/rules/c.md')?.omitted).toBe('no_room');
  expect(JSON.stringify(await read()).length).toBeLessThan(80 * 1024);
});

test('a key in an instruction file does not leave the machine', async () => {
  temporary.write('AGENTS.md', `Use the token ghp_${'x7Kq9ZtR2mVb4NcW8sLd1FgH6jYp3QaE5uTo'} for the registry.\n`);
  expect((await files()).get('workspace:AGENTS.md')?.content).toMatch(/Use the token \[secret .+\] for the registry/);
});

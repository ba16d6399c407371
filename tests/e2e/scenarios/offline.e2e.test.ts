import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { runCommand, startSystem, type System } from '../start-system.js';

const README = `# Tide

[![build](https://example.com/badge.svg)](https://example.com)

Tells when the tide is high, for harbours that have no gauge.

## Usage

\`\`\`sh
npx tide hamburg
\`\`\`
`;
const FILES = {
  'README.md': README,
  'package.json': JSON.stringify({
    ...{ name: 'tide-tables', version: '2.1.0', description: 'Tide tables for small harbours', bin: { tide: './src/cli.js' } },
    scripts: { test: 'node --test', build: 'tsc' },
  }),
  'src/cli.js': 'export {};\n',
  'src/moon/phase.js': 'export const phase = 1;\n',
  'test/phase.test.js': '\n',
  'notes.txt': 'one\r\ntwo\r\none\r\n',
};

let system: System;
let repository: Repository;

beforeAll(async () => {
  system = await startSystem({ env: { CODELAB_VOCABULARY: 'auto' } });
});
afterAll(() => system.stop());
beforeEach(async () => {
  repository = await makeRepository({ extra: FILES });
  await repository.git('config', 'user.name', 'test');
  await repository.git('config', 'user.email', 'test@localhost');
});
afterEach(() => repository.remove());

async function openSession(vocabulary: string): Promise<string> {
  const session_id = randomUUID();
  const response = await fetch(`${system.gateways[0]?.url ?? ''}/api/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id, vocabulary }),
  });
  expect(response.status).toBe(201);
  return session_id;
}

/** What the built-in model says to a request, in a vocabulary. */
async function say(request: string, vocabulary?: string): Promise<string> {
  const session = vocabulary === undefined ? [] : ['--session', await openSession(vocabulary)];
  const target = ['--workspace', repository.root, '--url', system.gateways[0]?.ws ?? '', '--token', system.token, ...session];
  const result = await runCommand(['exec', ...target, '--approve', 'all', request], { env: system.env });
  expect([result.code, result.code === 0 ? '' : result.stderr]).toEqual([0, '']);
  return result.stdout;
}
const content = (path: string): Promise<string> => readFile(join(repository.root, path), 'utf8');

test.each([undefined, 'codelab', 'claude-code', 'text-editor', 'continue'])(
  verifies('L3:offline-vocabularies', 'without a key the plain requests work in every vocabulary: %s'),
  async (vocabulary) => {
    const found = await say('read notes.txt and list files in src and search for "phase ="', vocabulary);
    expect(found).toMatch(/3 lines[^]*one\r?\n[^]*cli\.js[^]*phase\.js[^]*phase = 1/);
    const changes = ['create new.txt with "hello"', 'replace two with 2 in notes.txt', 'append "end" to notes.txt'];
    const looks = ['show the diff', 'run `echo $((20 + 22))`', 'commit all with message "Tidy"'];
    const done = await say([...changes, ...looks].join(', then '), vocabulary);
    expect(done).toMatch(/-two[^]*\+2[^]*ended with 0[^]*42/);
    expect(await content('new.txt')).toMatch(/^hello\n?$/);
    expect((await content('notes.txt')).replaceAll('\r', '')).toBe('one\n2\none\nend\n');
    expect(await repository.git('log', '--format=%s')).toBe('Tidy\nfirst\n');
  },
);

test(
  verifies('L3:offline-overview', 'asked what a repository does, it answers from README, manifest and tree, and says what it is'),
  async () => {
    const said = await say('What does this repository do?');
    expect(said).toContain('Tells when the tide is high, for harbours that have no gauge.');
    expect(said).toContain('Tide tables for small harbours');
    for (const part of [
      '`npm install`',
      '`npm test`',
      '`npm run build`',
      'npx tide hamburg',
      '`src/cli.js`',
      '`src/`',
      '`moon`',
      'JavaScript',
    ])
      expect(said).toContain(part);
    expect(said).toContain('not a language model');
    await writeFile(join(repository.root, 'README.md'), '');
    await writeFile(join(repository.root, 'package.json'), '{');
    expect(await say('summarize this project')).toContain('`src/`');
  },
);

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startTerminal, verifies } from '@codelab/testkit';
import { findPython } from '../conformance-kit.js';
import { makeRepository } from '../make-repository.js';
import { startSystem } from '../start-system.js';

const CLIENT = fileURLToPath(new URL('../../../examples/python/codelab_executor.py', import.meta.url));
const python = findPython();
const title = 'the client in Python shows at the terminal what it would write, and writes it when it is approved there';

const asks = async (): Promise<void> => {
  const system = await startSystem();
  const repository = await makeRepository({ extra: { 'a.txt': 'alpha\n' } });
  const state = await mkdtemp(join(tmpdir(), 'codelab-python-'));
  const settings = {
    CODELAB_URL: new URL(system.gateways[0]?.ws ?? '').origin,
    CODELAB_TOKEN: system.token,
    CODELAB_WORKSPACE: repository.root,
    CODELAB_STATE: state,
    CODELAB_MESSAGE: 'create grüße.txt with "héllo"',
  };
  const env = { ...process.env, ...settings, LANG: 'C.UTF-8' };
  const terminal = startTerminal(python ?? '', [CLIENT], { columns: 100, rows: 30, cwd: state, env });
  try {
    await terminal.shows(/write_file .*"h\\u00e9llo"[^]*Run it\? \[y\/N\]/);
    terminal.type('y');
    terminal.press('enter');
    await terminal.shows(/\[turn completed\]/);
    expect(await readFile(join(repository.root, 'grüße.txt'), 'utf8')).toBe('héllo');
  } finally {
    await terminal.close();
    await system.stop();
    await repository.remove();
    await rm(state, { recursive: true, force: true });
  }
};

test(
  verifies('L3:conformance-python', 'the client in Python is small enough to be read: 250 lines of at most 120 characters'),
  async () => {
    const folder = dirname(CLIENT);
    const sources = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.py'));
    const lines = (await Promise.all(sources.map((name) => readFile(join(folder, name), 'utf8')))).flatMap((text) =>
      text.trimEnd().split('\n'),
    );
    expect(lines.length).toBeLessThanOrEqual(250);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  },
);

if (python === undefined) test.skip(`${title} (needs Python with websockets: apt-get install python3-websockets)`, asks);
else test(verifies('L3:conformance-python', title), asks, 60_000);

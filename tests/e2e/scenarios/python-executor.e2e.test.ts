import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startTerminal, verifies } from '@codelab/testkit';
import { findPython } from '../conformance-kit.js';
import { makeRepository } from '../make-repository.js';
import { startSystem } from '../start-system.js';

const CLIENT = fileURLToPath(new URL('../../../examples/python/codelab_executor.py', import.meta.url));
const python = findPython();
const title = 'the client in Python shows at the terminal what would be written, and writes it when it is approved there';

const asks = async (): Promise<void> => {
  const system = await startSystem();
  const repository = await makeRepository({ extra: { 'a.txt': 'alpha\n' } });
  const state = await mkdtemp(join(tmpdir(), 'codelab-python-'));
  const gateway = ['--url', new URL('/', system.gateways[0]?.ws ?? '').href, '--token', system.token];
  const words = [CLIENT, ...gateway, '--workspace', repository.root, '--state', state, '--message', 'create grüße.txt with "héllo"'];
  const terminal = startTerminal(python ?? '', words, { columns: 100, rows: 30, cwd: state, env: { ...process.env, LANG: 'C.UTF-8' } });
  try {
    await terminal.shows(/\+héllo[^]*Run this write_file\? \[y\/N\]/);
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
if (python === undefined) test.skip(`${title} (needs Python with websockets: apt-get install python3-websockets)`, asks);
else test(verifies('L3:conformance-python', title), asks, 60_000);

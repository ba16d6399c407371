import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { CLI } from '../start-system.js';
import type { Plans } from '../use-chats.js';
import { agentOf, useEditors } from '../use-editors.js';

const PLANS: Plans = {
  'write and run': [
    { calls: [{ tool: 'write_file', args: { path: 'notes.txt', content: 'by acpx\n' } }] },
    { calls: [{ tool: 'run_command', args: { command: 'cat notes.txt && touch ran' } }] },
    { text: 'Both are done.' },
  ],
};

const ACPX = join(dirname(createRequire(import.meta.url).resolve('acpx/package.json')), 'dist/cli.js');

const editors = useEditors(PLANS);
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'codelab-acpx-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Runs one prompt by acpx, a headless client of others, and answers what it printed: the messages of the protocol, in both directions. */
async function acpx(
  ...options: readonly string[]
): Promise<{ readonly messages: readonly Record<string, unknown>[]; readonly code: unknown }> {
  const { argv = [], env } = agentOf(editors.system);
  const agent = [process.execPath, CLI, 'acp', ...argv].join(' ');
  const child = spawn(process.execPath, [ACPX, '--cwd', editors.repository.root, '--agent', agent, '--format', 'json', ...options], {
    env: { ...env, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [unknown];
  const messages = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));
  if (messages.length === 0) throw new Error(`acpx printed no message (${String(code)}):\n${stderr}`);
  return { messages, code };
}

test(
  verifies(
    'L3:acp-acpx',
    'acpx, a client that others wrote, has files written and commands run through itself, and refuses what it is told to',
  ),
  async () => {
    const { root } = editors.repository;
    const { messages, code } = await acpx('--approve-all', 'exec', 'write and run');
    expect(code).toBe(0);
    const methods = messages.map(({ method }) => method);
    for (const method of ['session/request_permission', 'fs/write_text_file', 'terminal/create', 'terminal/release'])
      expect(methods).toContain(method);
    expect(messages).toContainEqual(expect.objectContaining({ result: expect.objectContaining({ stopReason: 'end_turn' }) }));
    expect(await readFile(join(root, 'notes.txt'), 'utf8')).toBe('by acpx\n');
    await readFile(join(root, 'ran'));
    await rm(join(root, 'ran'));
    await rm(join(root, 'notes.txt'));
    await acpx('--deny-all', 'exec', 'write and run');
    await expect(readFile(join(root, 'ran'))).rejects.toThrow('ENOENT');
    await expect(readFile(join(root, 'notes.txt'))).rejects.toThrow('ENOENT');
  },
);

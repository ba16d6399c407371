import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reduceSession, EMPTY_VIEW, type SessionView } from '@codelab/client/view';
import { UserShell } from './user-shell.js';

let root: string;
let view: SessionView;
let shell: UserShell;
let printed: () => void;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'codelab-shell-'));
  view = EMPTY_VIEW;
  printed = () => undefined;
  shell = new UserShell({
    root,
    tell: (event) => {
      view = reduceSession(view, event);
      if (event.kind === 'shell_printed') printed();
    },
    allowedSecrets: () => Promise.resolve(new Set()),
  });
});
afterEach(async () => {
  shell.close();
  await rm(root, { recursive: true });
});

/** Put together here, so that no source holds it. */
const TOKEN = ['ghp', '0123456789abcdefghijABCDEFGHIJ456789'].join('_');

test('a command runs in the folder, and what it prints goes once, with its exit code', async () => {
  await shell.run('pwd; echo oops >&2; exit 3');
  expect(view.items).toMatchObject([{ kind: 'shell', command: 'pwd; echo oops >&2; exit 3', ended: { code: 3 } }]);
  const [output, ...others] = await shell.take();
  expect(others).toEqual([]);
  expect(output?.path).toBe('the user ran: pwd; echo oops >&2; exit 3 (exit 3)');
  expect(output?.content?.split('\n').toSorted()).toEqual([expect.stringContaining('codelab-shell-'), 'oops']);
  expect(await shell.take()).toEqual([]);
});

test('of much output the model reads the end, and is told so; secrets are masked', async () => {
  await shell.run(`yes line | head -n 9000; echo token ${TOKEN}`);
  const [output] = await shell.take();
  expect(output?.content).toMatch(/^\(only the last 8000 characters\)\n/);
  expect(output?.content).toMatch(/\[secret .*\]$/);
});

test('a secret in a long command is masked whole, and outputs wait for a message that has room', async () => {
  await shell.run(`: ${'x'.repeat(175)} ${TOKEN}`);
  await shell.run('echo two');
  expect(await shell.take(0)).toEqual([]);
  const [first, ...others] = await shell.take(2);
  expect(first?.path).not.toContain('ghp_');
  expect(others).toMatchObject([{ content: 'two' }]);
});

test('it is ended with its children', async () => {
  const hears = new Promise<void>((resolve) => (printed = resolve));
  const ended = shell.run('sleep 600 & echo begun; wait');
  await hears;
  shell.stop();
  await ended;
  expect(view.items).toMatchObject([{ kind: 'shell', ended: {} }]);
});

test('one that heeds no Ctrl-C is ended by the second', async () => {
  const hears = new Promise<void>((resolve) => (printed = resolve));
  const ended = shell.run("trap '' INT; echo begun; while :; do sleep 0.1; done");
  await hears;
  shell.stop();
  shell.stop();
  await ended;
  expect(view.items).toMatchObject([{ kind: 'shell', ended: { code: null } }]);
});

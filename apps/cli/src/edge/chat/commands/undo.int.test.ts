import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkspace } from '@codelab/workspace';
import { verifies } from '@codelab/testkit';
import { chatOf } from './__fixtures__/chat-of.js';
import { undoTurn } from './undo.js';

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-undo-'));
  root = await mkdtemp(join(folder, 'workspace-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test(
  verifies('W2:chat-undo', 'a conversation undoes the turn that it has shown, once the user has said yes, and nothing else'),
  async () => {
    const workspace = await openWorkspace({ root, dataDir: join(folder, 'data') });
    let told = 0;
    const client = { tellNews: () => Promise.resolve(void (told += 1)) } as never; // all that the command uses of it
    const { chat, answerTo } = chatOf({ workspace, client });
    const undo = answerTo(undoTurn(chat));
    expect(await undo('')).toBe('There is no turn to undo here.');
    await writeFile(join(root, 'a.txt'), 'old\n');
    const run = { signal: new AbortController().signal, turnId: 't1', approved: true };
    await workspace.run('write_file', { path: 'a.txt', content: 'new\n' }, { ...run, callId: 'c1' });
    await workspace.run('write_file', { path: 'b.txt', content: 'new\n' }, { ...run, callId: 'c2' });
    await workspace.run('run_command', { command: 'true' }, { ...run, turnId: 't2', callId: 'c3' });
    expect(await undo('yes')).toContain('/undo shows what would be undone');
    expect(await undo('')).toMatch(/^Undo t1 [^]*a\.txt[^]*b\.txt[^]*\/undo yes does it\.$/);
    expect(await undo('yes')).toContain('Undone: 2 changes.');
    expect(told).toBe(1);
    expect((await workspace.facts.read()).undone).toMatchObject([{ paths: ['a.txt', 'b.txt'] }]);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('old\n');
    await expect(readFile(join(root, 'b.txt'))).rejects.toThrow('ENOENT');
    expect(await undo('yes')).toContain('/undo shows what would be undone');
    expect(await undo('')).toBe('There is no turn to undo here.');
  },
);

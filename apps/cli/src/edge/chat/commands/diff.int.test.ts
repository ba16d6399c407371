import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EMPTY_VIEW, type Item } from '@codelab/client/view';
import { verifies } from '@codelab/testkit';
import { openWorkspace } from '@codelab/workspace';
import { newChat } from '../../../core/chat/chat-state.js';
import { plainHighlighter } from '../../../core/markdown/highlight-code.js';
import type { Pager } from '../../../core/screen/pager.js';
import { paintLine } from '../../../core/text/paint-line.js';
import { chatOf } from './__fixtures__/chat-of.js';
import { showChanges } from './diff.js';

let folder: string;
let root: string;
const git = (...args: readonly string[]): Promise<unknown> =>
  promisify(execFile)('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-diff-'));
  root = await mkdtemp(join(folder, 'workspace-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The page that `/diff` shows. */
async function page(text: string, items: readonly Item[] = []): Promise<string> {
  let shown: Pager | undefined;
  const workspace = await openWorkspace({ root, dataDir: join(folder, 'data') });
  const { chat } = chatOf({
    workspace,
    console: {
      page: (pager) => void (shown = pager),
      look: () => ({ width: 79, highlight: plainHighlighter, marks: false, nowMs: 0 }),
      state: { ...newChat(), view: { ...EMPTY_VIEW, items } },
    },
  });
  await showChanges(chat)(text);
  return shown!.rows.map((row) => paintLine(row).trimEnd()).join('\n');
}

test(
  verifies('L3:chat-diff', 'a chat shows what has changed since the last commit: staged, not staged, and new; secrets are only named'),
  async () => {
    await git('init', '-q');
    await writeFile(join(root, 'a.txt'), 'one\n');
    await git('add', '.');
    await git('commit', '-qm', 'first');
    expect(await page('')).toBe('Nothing has changed since the last commit.');
    await writeFile(join(root, 'a.txt'), 'two\n');
    await git('add', '.');
    await writeFile(join(root, 'a.txt'), 'three\n');
    await writeFile(join(root, 'b.txt'), 'new\n');
    await writeFile(join(root, '.env'), 'KEY=1\n');
    const shown = await page('');
    expect(shown).toMatch(/^In the next commit {2}1 file {2}\+1 −1\n[^]*− one\n[^]*\+ two\n[^]*Not staged {2}2 files {2}\+2 −1\n/);
    expect(shown).toMatch(/\+ three\n[^]*b\.txt {2}new file[^]*\+ new\n[^]*Not shown, for it may hold secrets: \.env$/);
    expect(shown).not.toContain('KEY');
  },
);

test('without git it says what shows the changes; those of the calls are shown one after the other', async () => {
  await expect(page('')).rejects.toThrow('not under git: /diff session');
  const change = { kind: 'diff', text: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n' } as const;
  const call = {
    kind: 'call',
    callId: 'c1',
    toolName: 'write_file',
    args: '{}',
    argsSha256: '',
    progress: 'done',
    preview: change,
  } as const;
  expect(await page('session', [call, { ...call, callId: 'c2', progress: 'rejected' }])).toMatch(
    /^a\.txt {2}\+1 −1\n.*− one\n.*\+ two\n?$/,
  );
  expect(await page('session')).toContain('No call of this conversation changed a file');
});

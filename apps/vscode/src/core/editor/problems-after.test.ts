import type { ToolOutcome } from '@codelab/client';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { FakeEditor } from './__fixtures__/fake-editor.js';
import { WindowFolders, type WindowFolder } from '../folders/window-folders.js';
import type { Problem } from './editor-host.js';
import { tellProblems } from './problems-after.js';

const problem = (path: string, message: string, severity: Problem['severity'] = 'error'): Problem => ({
  ...{ path, message, severity, source: 'ts' },
  ...{ line: 3, column: 7 },
});
const FOLDERS = new WindowFolders({ name: '', root: '/work' } as WindowFolder);
const waits = { first: 40, quiet: 5, longest: 200 };

const change = async (editor: FakeEditor, effect: () => void, isOn = true, tool = 'write_file'): Promise<ToolOutcome> => {
  const base = async (): Promise<ToolOutcome> => {
    setTimeout(effect, 5);
    return { ok: true, result: { success: true, bytes_written: 1 } };
  };
  const run = tellProblems(base, { host: editor, folders: FOLDERS, isOn: () => isOn, waits });
  return run(tool, { path: 'src/a.ts', content: 'x' }, { callId: 'c', signal: new AbortController().signal, onOutput: () => undefined });
};

test(
  verifies(
    'L3:editor-problems',
    'problems that the editor sees because of a change go to the model with its result, new errors elsewhere, too',
  ),
  async () => {
    const editor = new FakeEditor();
    const known = [problem('/work/src/a.ts', 'old one', 'warning'), problem('/work/src/c.ts', 'old error')];
    editor.find(known);
    const outcome = await change(editor, () =>
      editor.find([
        ...known,
        problem('/work/src/a.ts', 'unknown\nname'),
        problem('/work/b.ts', 'broken by it'),
        problem('/else/d.ts', 'far'),
      ]),
    );
    expect(outcome).toMatchObject({ ok: true, result: { success: true, bytes_written: 1 } });
    const { feedback } = (outcome as { readonly result: { readonly feedback: string } }).result;
    expect(feedback.split('\n')).toEqual([
      'Problems that the editor sees after this change:',
      'src/a.ts:3:7 error, new: unknown name (ts)',
      'b.ts:3:7 error, new: broken by it (ts)',
      'src/a.ts:3:7 warning: old one (ts)',
    ]);
    expect(editor.lookedAt).toEqual(['/work/src/a.ts']);
  },
);

test('nothing is added where there is nothing to say, to say it is switched off, or nothing was changed', async () => {
  const plain = { ok: true, result: { success: true, bytes_written: 1 } };
  const [quiet, off, reads] = [new FakeEditor(), new FakeEditor(), new FakeEditor()];
  expect(await change(quiet, () => undefined)).toEqual(plain);
  expect(await change(off, () => off.find([problem('/work/src/a.ts', 'x')]), false)).toEqual(plain);
  expect(await change(reads, () => reads.find([problem('/work/src/a.ts', 'x')]), true, 'read_file')).toEqual(plain);
  expect(reads.lookedAt).toEqual([]);
});

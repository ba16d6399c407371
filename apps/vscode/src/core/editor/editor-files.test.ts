import { beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { FakeEditor } from './__fixtures__/fake-editor.js';
import { EditorFiles } from './editor-files.js';
import { textChanges } from './text-changes.js';

const PATH = '/work/a.ts';
let editor: FakeEditor;
let files: EditorFiles;
beforeEach(() => {
  editor = new FakeEditor();
  files = new EditorFiles(editor);
});

test('what is typed and not saved is read; what is saved, or not open, is left to the disk', async () => {
  const document = editor.show(PATH, 'saved\n');
  expect(await files.read(PATH)).toBeUndefined();
  expect(files.unsaved()).toEqual([]);
  document.type('typed\n');
  expect(await files.read(PATH)).toBe('typed\n');
  expect(files.unsaved()).toEqual([PATH]);
  expect(await files.read('/work/other.ts')).toBeUndefined();
  expect(await files.write('/work/other.ts', 'x')).toBe(false);
});

test(
  verifies('W2:editor-buffer', 'a change of an open file is one edit that the user can take back, small as it can be, and is saved'),
  async () => {
    const document = editor.show(PATH, 'one\ntwo\nthree\n');
    document.type('one\ntyped\nthree\n');
    expect(await files.write(PATH, 'one\ntyped\nTHREE\n', 'one\ntyped\nthree\n')).toBe(true);
    expect(editor.disk.get(PATH)).toBe('one\ntyped\nTHREE\n');
    expect(document.undoStack).toEqual(['one\ntyped\nthree\n']);
    expect(textChanges('one\ntyped\nthree\n', 'one\ntyped\nTHREE\n')).toEqual([{ start: 10, end: 16, text: 'THREE\n' }]);
  },
);

test(verifies('H2:editor-buffer', 'a file that is typed into after the decision, up to the very edit, is not changed'), async () => {
  const document = editor.show(PATH, 'old\n');
  document.type('typed\n');
  await expect(files.write(PATH, 'new\n', 'old\n')).rejects.toMatchObject({ code: 'CONFLICT' });
  editor.beforeEdit = () => document.type('typed in between\n');
  await expect(files.write(PATH, 'new\n', 'typed\n')).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(document.content).toBe('typed in between\n');
  expect(editor.disk.get(PATH)).toBe('old\n');
});

test('line ends stay those of the editor, and become those of the change where they are others', async () => {
  const document = editor.show(PATH, 'a\r\nb\r\n');
  document.eol = '\r\n';
  expect(await files.write(PATH, 'a\r\nc\r\n', 'a\r\nb\r\n')).toBe(true);
  expect(document.content).toBe('a\r\nc\r\n');
  expect(await files.write(PATH, 'a\nd\n', 'a\r\nc\r\n')).toBe(true);
  expect(document.content).toBe('a\nd\n');
  expect(await files.write(PATH, 'a\r\nd\n', 'a\nd\n')).toBe(false); // mixed: the disk gets it byte for byte
});

test('a change that can not be saved is taken back and told', async () => {
  const document = editor.show(PATH, 'old\n');
  editor.canSave = false;
  await expect(files.write(PATH, 'new\n', 'old\n')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(document.content).toBe('old\n');
});

test('text in an encoding that is not UTF-8 is the editor’s own while it is not saved', async () => {
  const document = editor.show(PATH, 'old\n');
  document.encoding = 'windows1252';
  expect(await files.write(PATH, 'new\n', 'old\n')).toBe(false);
  document.type('typed\n');
  expect(await files.read(PATH)).toBeUndefined();
  await expect(files.write(PATH, 'new\n', 'old\n')).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a document that has not followed its file yet is left to the disk', async () => {
  editor.show(PATH, 'old\n');
  expect(await files.write(PATH, 'new\n', 'what is on disk by now\n')).toBe(false);
});

test('changes lead from any text to any other', () => {
  const texts = ['', 'a', 'a\nb\nc\n', 'a\nB\nc', 'x\na\nb\ny\n', '\n\n\n', 'c\nb\na\n'];
  for (const before of texts)
    for (const after of texts) {
      let text = before;
      for (const { start, end, text: put } of [...textChanges(before, after)].reverse())
        text = text.slice(0, start) + put + text.slice(end);
      expect(text).toBe(after);
    }
});

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parsePatch } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { editArguments, faultOf } from './edit-text.js';
import { editHunk } from './edit-text.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab edit-'));
  vi.stubEnv('VISUAL', undefined);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** An editor that does what `script` says to the file `$1`. */
async function setEditor(script: string): Promise<void> {
  const path = join(folder, 'editor.sh');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  vi.stubEnv('EDITOR', `'${path}' --wait`);
}

test('the arguments come back as the editor left them; the editor may have arguments of its own', async () => {
  await setEditor('sed -i "s/old/new/" "$2"');
  expect(await editArguments('{"path":"a b","content":"old"}', 'write_file')).toEqual({
    args: '{"path":"a b","content":"new"}',
  });
});

test('a file, a patch and a command are opened as the text that they are', async () => {
  await setEditor('cp "$2" "$2.seen"; printf "%s|" "${2##*/}" "$(cat "$2")" >> "$(dirname "$0")/seen"; printf "# kept\\nnew\\n" > "$2"');
  const edit = async (name: string, args: object): Promise<unknown> => {
    const edited = await editArguments(JSON.stringify(args), name);
    return JSON.parse((edited as { args: string }).args);
  };
  expect(await edit('write_file', { path: 'src/a.py', content: '# old\nx' })).toEqual({ path: 'src/a.py', content: '# kept\nnew' });
  expect(await edit('apply_patch', { diff: 'd\n' })).toEqual({ diff: '# kept\nnew\n' });
  expect(await edit('run_command', { command: 'ls' })).toEqual({ command: '# kept\nnew' });
  expect(await readFile(join(folder, 'seen'), 'utf8')).toBe('a.py|# old\nx|change.diff|d|command.sh|ls|');
});

test(verifies('H1:edit-hidden', 'a call about a hidden file leaves none where the editor runs'), async () => {
  await setEditor('ls -A > "$(dirname "$0")/seen"; echo new > "$2"');
  await editArguments('{"path":"src/.exrc","content":":!id"}', 'write_file');
  expect(await readFile(join(folder, 'seen'), 'utf8')).toBe('_exrc\n');
});

test('left as they were, nothing was decided', async () => {
  await setEditor('true');
  expect(await editArguments('{"path":"a"}', 'write_file')).toBeUndefined();
});

test('what is no JSON is opened again with the reason above it, until it is mended', async () => {
  await setEditor(`if grep -q '^// This is no JSON' "$2"; then echo '{"path":"b"}' > "$2"; else echo '{"path":' > "$2"; fi`);
  expect(await editArguments('{"path":"a"}', 'write_file')).toEqual({ args: '{"path":"b"}' });
});

test('saved broken twice, it gives up and says so', async () => {
  await setEditor(`grep -q '^// ' "$2" || echo nonsense > "$2"`);
  expect(await editArguments('{"path":"a"}', 'write_file')).toEqual({ fault: expect.stringContaining('This is no JSON') });
});

test('an editor that fails decides nothing', async () => {
  await setEditor('exit 3');
  expect(await editArguments('{"path":"a"}', 'write_file')).toMatchObject({ fault: expect.stringContaining('ended with 3') });
});

test.each([
  ['{"a":1}', undefined],
  ['[1]', 'Arguments are a JSON object: { … }.'],
  ['null', 'Arguments are a JSON object: { … }.'],
  ['{', expect.stringMatching(/^This is no JSON: /)],
])('%s', (text, fault) => expect(faultOf(text)).toEqual(fault));

describe('a hunk', () => {
  const { lines } = parsePatch('--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n')[0]!.hunks[0]!;
  const hunk = { original: lines, lines, endsHunk: true };

  test(
    verifies('H1:review-edit', 'a hunk is edited as git add -e does it; what does not fit the file is opened again with the reason'),
    async () => {
      await setEditor('sed -i "s/^+B/+new/; s/^ a/-a/" "$2"');
      expect(await editHunk(hunk)).toEqual({
        lines: [
          { sign: '-', text: 'a' },
          { sign: '-', text: 'b' },
          { sign: '+', text: 'new' },
          { sign: ' ', text: 'c' },
        ],
      });
      await setEditor(`if grep -q '^# Mend it' "$2"; then printf ' a\n b\n c\n' > "$2"; else echo ' a' > "$2"; fi`);
      expect(await editHunk(hunk)).toEqual({ lines: ['a', 'b', 'c'].map((text) => ({ sign: ' ', text })) });
    },
  );

  test('left alone nothing is decided; left broken twice it says why', async () => {
    await setEditor('true');
    expect(await editHunk(hunk)).toEqual({});
    await setEditor(`grep -q 'Mend it' "$2" || echo ' a' > "$2"`);
    expect(await editHunk(hunk)).toEqual({ fault: expect.stringContaining('“b”') });
  });
});

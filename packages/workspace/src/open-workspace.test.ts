import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '@codelab/tools';
import { TOOLS } from '@codelab/tools';
import { forAtMost, verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../test/temporary-workspace.js';
import { openWorkspace } from './open-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

test('every tool of this release can be run, and what a workspace has of the capabilities', async () => {
  const names = TOOLS.map(({ name }) => name);
  const has = await temporary.workspace.kernels.isInstalled();
  const kernels = has ? ['kernel.execute', 'kernel.interrupt', 'kernel.restart'] : [];
  expect([...temporary.workspace.tools].sort()).toEqual(
    [...names, 'process.output', 'media.read', 'shell.exec', 'shell.restart', ...kernels].sort(),
  );
});

describe('opening', () => {
  test('a folder that is missing, or a file, is refused in words', async () => {
    writeFileSync(join(temporary.base, 'file'), '');
    const open = (root: string): Promise<unknown> => openWorkspace({ root, dataDir: temporary.dataDir });
    await expect(open(join(temporary.base, 'missing'))).rejects.toThrow(/cannot be opened: there is no such folder/);
    await expect(open(join(temporary.base, 'file'))).rejects.toThrow(/it is a file, not a folder/);
  });

  test("a folder inside the client's own data is refused", async () => {
    mkdirSync(join(temporary.dataDir, 'inside'), { recursive: true });
    await expect(openWorkspace({ root: join(temporary.dataDir, 'inside'), dataDir: temporary.dataDir })).rejects.toThrow(
      /CODELAB_DATA_DIR/,
    );
  });

  test('a link to a folder is that folder', async () => {
    symlinkSync(temporary.root, join(temporary.base, 'link'));
    const workspace = await openWorkspace({ root: join(temporary.base, 'link'), dataDir: temporary.dataDir });
    expect(workspace.root).toBe(temporary.root);
  });
});

describe('a call that cannot be run is an answer, never an exception', () => {
  test.each<[string, JsonObject, string]>([
    ['no_such_tool', { command: 'ls' }, 'TOOL_NOT_FOUND'],
    ['constructor', {}, 'TOOL_NOT_FOUND'],
    ['read_file', {}, 'INVALID_ARGUMENTS'],
    ['read_file', { path: 1 }, 'INVALID_ARGUMENTS'],
    ['read_file', { path: null }, 'INVALID_ARGUMENTS'],
    ['write_file', { path: 'a', content: 'b', mode: 7 }, 'INVALID_ARGUMENTS'],
    ['prompt_user', { message: 'x', actions: [] }, 'INVALID_ARGUMENTS'],
  ])('%s %j: %s', async (tool, args, code) => expect(await temporary.run(tool, args)).toBe(code));

  test('a null is an absent argument', async () => {
    expect(await temporary.run('write_file', { path: 'a', content: 'b', expected_sha256: null })).toMatchObject({ success: true });
  });
});

test('a call that is shown without a preview of its own shows its arguments', async () => {
  expect(await temporary.workspace.preview('read_file', { path: 'a' })).toEqual({
    preview: { kind: 'text', text: 'read_file {"path":"a"}' },
    operands: [],
  });
});

test('writers wait for each other', async () => {
  const writes = Array.from({ length: 20 }, (_, index) => temporary.run('write_file', { path: 'a', content: String(index) }));
  expect(new Set((await Promise.all(writes)).map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['{"success":true,"bytes_written":1}', '{"success":true,"bytes_written":2}']),
  );
  expect(temporary.read('a')).toBe('19');
});

test(verifies('W1:any-path', 'no path whatever, in a folder full of links, leads a tool outside'), async () => {
  for (const [name, target] of [
    ['up', '..'],
    ['out', temporary.outside],
    ['self', '.'],
    ['l', 'dir'],
    ['dir/back', '../../outside'],
    ['dangling', 'x/y'],
    ['round', 'round'],
  ] as const) {
    mkdirSync(join(temporary.root, 'dir'), { recursive: true });
    symlinkSync(target, join(temporary.root, name));
  }
  temporary.write('dir/file', 'inside');
  const before = temporary.snapshot(temporary.outside);
  const segment = fc.constantFrom(
    'up',
    'out',
    'self',
    'l',
    'dir',
    'back',
    'file',
    'dangling',
    'round',
    '..',
    '.',
    '',
    'new',
    'secret.txt',
    'ws',
    'outside',
    '~',
    'C:',
    '\0',
    '%2e%2e',
  );
  const path = fc.oneof(
    fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/')),
    fc.array(segment, { maxLength: 4 }).map((segments) => join(temporary.outside, ...segments.filter((each) => each !== '\0'))),
    fc.string({ maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(
      path,
      forAtMost(5_000, async (each) => {
        expect(JSON.stringify(await temporary.run('read_file', { path: each }))).not.toContain('SECRET');
        await temporary.run('write_file', { path: each, content: 'W' });
        await temporary.run('apply_patch', { diff: `--- /dev/null\n+++ b/${each}\n@@ -0,0 +1 @@\n+W\n`, allow_dirty: true });
        expect(temporary.snapshot(temporary.outside)).toEqual(before);
        expect(temporary.snapshot(join(temporary.base, 'ws-evil'))).toEqual({ 'secret.txt': 'SECRET' });
      }),
    ),
    { numRuns: 150 },
  );
});

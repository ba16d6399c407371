import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { openWorkspace } from '../open-workspace.js';

const FILES = 40;
/** The process is killed as soon as this many files have changed. */
const MOMENTS = [1, 2, 20, 39, 40];

const HERE = import.meta.dirname;
const REPOSITORY = join(HERE, '../../../..');

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
  for (let index = 0; index < FILES; index += 1) temporary.write(`f${String(index)}`, 'a\n');
});
afterEach(() => temporary.remove());

const killAfter = async (files: number): Promise<void> => {
  const args = [
    '--conditions=codelab-source',
    '--import',
    join(REPOSITORY, 'scripts/register-swc.mjs'),
    join(HERE, '../../test/apply-until-killed.ts'),
  ];
  const child = spawn(process.execPath, [...args, temporary.root, temporary.dataDir, String(FILES), String(files)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
};

const contents = (): Set<string> =>
  new Set(Object.entries(temporary.snapshot()).flatMap(([name, text]) => (name.startsWith('f') ? [text] : [])));

describe(
  verifies('W2:crash', 'a process that dies in the middle of a patch leaves whole files, and the next one makes it all or nothing'),
  () => {
    test.each(MOMENTS)('killed after %d files', async (files) => {
      await killAfter(files);
      for (const text of contents()) expect(['a\n', 'b\n']).toContain(text);
      const halfDone = contents().size === 2;
      const workspace = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
      expect(contents().size).toBe(1);
      expect(readdirSync(temporary.root).filter((name) => !/^f\d+$/.test(name))).toEqual([]);
      if (halfDone) expect(workspace.repaired).toEqual([{ callId: 'call_0', outcome: 'undone' }]);
      expect((await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir })).repaired).toEqual([]);
    });

    test('a file that somebody has changed since stays theirs', async () => {
      await killAfter(20);
      writeFileSync(join(temporary.root, 'f0'), 'mine\n');
      await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
      expect(contents()).toEqual(new Set(['mine\n', 'a\n']));
    });
  },
);

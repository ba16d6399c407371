import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEffects } from './read-effects.js';

test('what stands in a workspace is an effect, but for the beginning of a write and what is gone when it is read', async () => {
  const root = await mkdtemp(join(tmpdir(), 'codelab-effects-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'files'));
  await writeFile(join(root, 'marks.log'), 'mks1q1_a\nmks1q1_a\n');
  await writeFile(join(root, 'files', 'mks1q2_n.txt'), 'mks1q2_n\n');
  await writeFile(join(root, 'files', '.codelab-0123.tmp'), 'mks1q3');
  await symlink('nowhere', join(root, 'files', 'mks1q4_n.txt')); // stands in the list and can't be read
  const effects = (await readEffects(root, 's1')).map((event) => event.kind === 'effect' && `${event.mark}: ${event.what}`);
  const line = 'mks1q1_a: a line in marks.log';
  expect(effects).toEqual([line, line, 'mks1q2_n: files/mks1q2_n.txt whole']);
});

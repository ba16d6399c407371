import { afterEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { claudeCode } from '@codelab/vocabularies';
import { Uses } from './run-use.js';

let uses: Uses | undefined;
afterEach(() => uses?.stop());

test(verifies('L3:logs', 'a model pages through the whole output of a command by the path that it was told'), async () => {
  uses = await Uses.start({ vocabulary: claudeCode, files: {} });
  const { text } = await uses.use('Bash', { command: 'seq 1 50000' });
  const path = /codelab-log:\/[\w-]+\.txt/.exec(text)?.[0];
  expect(path).toBeDefined();
  expect((await uses.use('Read', { file_path: path!, offset: 30_000, limit: 1 })).text).toMatch(/^30000\t30000\n/);
  expect((await uses.use('Grep', { pattern: '^4999[89]$', path: path!, output_mode: 'content' })).text).toMatch(
    /49998:49998\n.*49999:49999/,
  );
  expect((await uses.use('Write', { file_path: path!, content: 'x' })).isError).toBe(true);
});

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/generated-files.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

test.each(Object.entries(generatedFiles()))('%s is fresh (if not: run `pnpm generate`)', async (path, text) => {
  expect(await readFile(root + path, 'utf8')).toBe(text);
});

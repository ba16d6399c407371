import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ESLint } from 'eslint';

const cwd = fileURLToPath(new URL('../../', import.meta.url));

test('reading the environment outside of edge/config.ts is a lint error', async () => {
  // In CI the parser takes every file for the one on disk, unless it is told that there will be others.
  const overrideConfig = { languageOptions: { parserOptions: { disallowAutomaticSingleRunInference: true } } };
  const eslint = new ESLint({ cwd, overrideConfig });
  const [result] = await eslint.lintText('export const port = process.env["PORT"];\n', { filePath: 'packages/protocol/src/limits.ts' });
  expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('no-restricted-properties');
}, 60_000);

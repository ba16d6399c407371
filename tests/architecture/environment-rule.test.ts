import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const cwd = fileURLToPath(new URL('../../', import.meta.url));

test('reading the environment outside of edge/config.ts is a lint error', async () => {
  // the rule needs no types, and to read all of them takes longer than everything else here
  const { disableTypeChecked } = tseslint.configs;
  const overrideConfig = [disableTypeChecked, { languageOptions: { parserOptions: { project: null } } }];
  const eslint = new ESLint({ cwd, overrideConfig });
  const [result] = await eslint.lintText('export const port = process.env["PORT"];\n', { filePath: 'packages/protocol/src/limits.ts' });
  expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('no-restricted-properties');
});

import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const OXLINT = join(root, 'node_modules/oxlint/bin/oxlint');

/** The rules that a file at a path breaks. */
async function brokenBy(path: string, code: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-lint-'));
  try {
    for (const file of ['.oxlintrc.json', 'scripts/lint/house-rules.mjs']) await cp(join(root, file), join(folder, file));
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), code);
    const { stdout } = spawnSync(process.execPath, [OXLINT, '--format', 'json', path], { cwd: folder, encoding: 'utf8' });
    return (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map((diagnostic) => diagnostic.code);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each([
  ['packages/protocol/src/limits.ts', 'export const port = process.env["PORT"];', 'eslint(no-restricted-properties)'],
  ['apps/cli/src/edge/config.ts', 'export const port = process.env["PORT"];', undefined],
  ['apps/cli/src/names.ts', 'export class Named { #name = 1; name() { return this.#name; } }', 'house(no-hash-names)'],
  ['apps/cli/src/spread.ts', 'export const of = (x?: 1) => ({ ...(x === undefined ? {} : { x }) });', 'house(no-spread-of-nothing)'],
  ['apps/cli/src/spread.ts', 'export const of = (x?: 1) => ({ ...(x !== undefined && { x }) });', 'house(no-spread-of-nothing)'],
  ['apps/console/src/page.tsx', 'export const Page = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;', 'house(no-html)'],
])('what is written in %s as %s breaks the rule %s', async (path, code, rule) => {
  expect(await brokenBy(path, `${code}\n`)).toEqual(rule === undefined ? [] : expect.arrayContaining([rule]));
});

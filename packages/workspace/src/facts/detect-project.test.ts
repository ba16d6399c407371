import { expect, test } from 'vitest';
import { detectProject } from './detect-project.js';

const detect = async (files: Readonly<Record<string, string>>): Promise<readonly (string | undefined)[]> => {
  const { package_manager, test_command } = await detectProject({
    names: new Set(Object.keys(files)),
    read: (name) => Promise.resolve(files[name] ?? ''),
  });
  return [package_manager, test_command];
};
const manifest = (fields: object = { scripts: { test: 'jest' } }): string => JSON.stringify(fields);

test.each<[string, Readonly<Record<string, string>>, readonly (string | undefined)[]]>([
  ['npm without a lock', { 'package.json': manifest() }, ['npm', 'npm test # jest']],
  ['pnpm', { 'package.json': manifest(), 'pnpm-lock.yaml': '' }, ['pnpm', 'pnpm test # jest']],
  ['yarn', { 'package.json': manifest(), 'yarn.lock': '' }, ['yarn', 'yarn test # jest']],
  ['bun', { 'package.json': manifest(), 'bun.lock': '' }, ['bun', 'bun run test # jest']],
  ['the manager that the manifest names', { 'package.json': manifest({ packageManager: 'pnpm@12.0.0' }) }, ['pnpm', undefined]],
  ['what npm init writes', { 'package.json': manifest({ scripts: { test: 'echo "Error: no test specified"' } }) }, ['npm', undefined]],
  ['a manifest that is being edited', { 'package.json': '{"scripts":' }, ['npm', undefined]],
  ['uv', { 'pyproject.toml': '[tool.pytest.ini_options]', 'uv.lock': '' }, ['uv', 'uv run pytest']],
  ['poetry', { 'pyproject.toml': '[tool.poetry]', tests: '' }, ['poetry', 'poetry run pytest']],
  ['pytest alone', { 'requirements.txt': '', 'pytest.ini': '' }, ['pip', 'pytest']],
  ['cargo', { 'Cargo.toml': '' }, ['cargo', 'cargo test']],
  ['go', { 'go.mod': '' }, ['go', 'go test ./...']],
  ['a maven wrapper', { 'pom.xml': '', mvnw: '' }, ['maven', './mvnw test']],
  ['gradle', { 'build.gradle.kts': '' }, ['gradle', 'gradle test']],
  ['make', { Makefile: 'build:\n\ttrue\ntest: build\n\ttrue\n' }, ['make', 'make test']],
  ['node without tests, and a Makefile with them', { 'package.json': manifest({}), Makefile: 'test:\n' }, ['npm', 'make test']],
  ['nothing', { 'README.md': '' }, [undefined, undefined]],
])('%s', async (_, files, expected) => {
  expect(await detect(files)).toEqual(expected);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findKernel, findPythons } from './find-python.js';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codelab-python-')));
  root = join(base, 'ws');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** A file below the base; a program if it lies in a folder of programs. */
const write = (path: string, content = ''): string => {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, /\/(bin|shims)\//.test(path) ? 0o755 : 0o644);
  return file;
};
const environmentOf = (...path: readonly string[]): Record<string, string> => ({
  HOME: join(base, 'home'),
  PATH: path.map((each) => join(base, each)).join(':'),
});
const found = async (environment: Record<string, string>): Promise<string | undefined> => {
  const path = await findKernel(root, environment);
  return path?.startsWith(base) === true ? path.slice(base.length + 1) : undefined; // of this machine otherwise
};

test('the environment of the workspace comes first, then the active one, then the PATH in its order', async () => {
  const own = write('ws/.venv/bin/python');
  const [first, active, second] = [write('a/bin/python3'), write('conda/bin/python'), write('b/bin/python')];
  write('a/bin/python3.11');
  const pythons = await findPythons(root, { ...environmentOf('a/bin', 'b/bin', 'none'), CONDA_PREFIX: join(base, 'conda') });
  expect(pythons).toEqual([{ path: own, isOfWorkspace: true }, ...[active, first, second].map((path) => ({ path, isOfWorkspace: false }))]);
});

test('a kernel is found in files: of a Python, of one behind a link or a shim, of the person, of the workspace', async () => {
  write('usr/bin/python3');
  expect(await found(environmentOf('usr/bin'))).toBeUndefined();
  write('real/bin/python3');
  mkdirSync(join(base, 'linked'));
  symlinkSync(join(base, 'real/bin/python3'), join(base, 'linked/python3'));
  write('real/share/jupyter/kernels/python3/kernel.json', '{}');
  expect(await found(environmentOf('usr/bin', 'linked'))).toBe('real/share/jupyter/kernels/python3/kernel.json');
  write('pyenv/shims/python3');
  write('pyenv/versions/3.13.1/share/jupyter/kernels/python3/kernel.json', '{}');
  expect(await found(environmentOf('pyenv/shims'))).toBe('pyenv/versions/3.13.1/share/jupyter/kernels/python3/kernel.json');
  write('home/.local/share/jupyter/kernels/ir/kernel.json', '{}');
  expect(await found(environmentOf())).toBe('home/.local/share/jupyter/kernels/ir/kernel.json');
  rmSync(join(base, 'home'), { recursive: true });
  write('ws/.venv/bin/python');
  write('ws/.venv/share/jupyter/kernels/python3/kernel.json', '{}');
  expect(await found(environmentOf())).toBe('ws/.venv/share/jupyter/kernels/python3/kernel.json');
});

import { test } from 'vitest';
import { execFileSync } from 'node:child_process';
import { findPythons } from '../src/kernel/find-python.js';

const canRun = (python: string, ...modules: readonly string[]): boolean => {
  try {
    execFileSync(python, ['-c', `import ${modules.join(', ')}`], { cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const pythons = (await findPythons('/nonexistent', process.env)).map(({ path }) => path);

/** A Python of this machine that has a Jupyter kernel. */
export const kernelPython = pythons.find((path) => canRun(path, 'ipykernel', 'jupyter_client'));

/** Whether it can plot, too. */
export const canPlot = kernelPython !== undefined && canRun(kernelPython, 'matplotlib');

/** A test that needs a real kernel; where there is none its title says how to get one. */
export const withKernel = (title: string, run: () => Promise<void>, ms = 60_000): void => {
  if (kernelPython === undefined) test.skip(`${title} (needs a kernel: apt-get install python3-ipykernel)`, run);
  else test(title, run, ms);
};

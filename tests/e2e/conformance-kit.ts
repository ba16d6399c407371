import { execFileSync } from 'node:child_process';
import type { CheckResult } from '@codelab/conformance';
import { runCommand } from './start-system.js';

/** What `codelab conformance --json` says of each check; a failed one with its reason. */
export async function checkConformance(
  argv: readonly string[],
): Promise<{ readonly code: number | null; readonly results: readonly CheckResult[] }> {
  const { code, stdout, stderr } = await runCommand(['conformance', '--json', ...argv]);
  const results = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CheckResult);
  if (results.length === 0) throw new Error(`the kit checked nothing: ${stderr}`);
  return { code, results };
}

/** The results that are no pass, short. */
export const notPassed = (results: readonly CheckResult[]): readonly string[] =>
  results.filter(({ outcome }) => outcome !== 'passed').map(({ id, outcome, why = '' }) => `${id} ${outcome}: ${why}`);

/** Does something for each item, so many at once. */
export async function doSideBySide<T>(items: readonly T[], atOnce: number, act: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** A Python that has the package `websockets`. */
export function findPython(): string | undefined {
  const pythons = execFileSync('sh', ['-c', 'which -a python3 python || true'], { encoding: 'utf8' }).split('\n');
  return pythons.find((python) => {
    try {
      if (python !== '') execFileSync(python, ['-c', 'import websockets'], { cwd: '/', stdio: 'ignore' });
      return python !== '';
    } catch {
      return false;
    }
  });
}

import { afterAll, beforeAll, expect } from 'vitest';
import type { Outcome } from './run-program.js';
import { playRounds } from './scripted-rounds.js';
import { startProxy, type TestProxy } from './start-proxy.js';

/** Runs programs once for a test file, side by side, before a proxy of its own; `valueOf` tells what each scenario gave, by its model. */
export function usePrograms(run: (env: TestProxy['env']) => readonly Promise<object>[]) {
  const here = {
    proxy: undefined as unknown as TestProxy,
    outcomes: {} as Record<string, Outcome<never>>,
    /** Fails with the error of the scenario, if it threw. */
    valueOf<T>(model: string): T {
      const outcome = here.outcomes[model] as Outcome<T> | undefined;
      expect({ model, error: outcome?.error }).toEqual({ model });
      return outcome?.value as T;
    },
  };
  beforeAll(async () => {
    here.proxy = await startProxy(playRounds);
    here.outcomes = Object.assign({}, ...(await Promise.all(run(here.proxy.env)))) as typeof here.outcomes;
  }, 60_000);
  afterAll(() => here.proxy.stop());
  return here;
}

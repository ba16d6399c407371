import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface AxeViolation {
  readonly id: string;
  readonly impact: 'minor' | 'moderate' | 'serious' | 'critical' | null;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

let source: Promise<string> | undefined;

/**
 * What axe finds serious or critical in the page as it stands: one line for each element, `rule: help: selector: what to do`. `within` limits
 * it to one element.
 */
export async function findBarriers(page: Page, within = 'html'): Promise<readonly string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(await source); // by the debugger: the page's own policy allows no scripts from elsewhere
  const violations = await page.evaluate<readonly AxeViolation[]>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`),
    );
}

import { readFile } from 'node:fs/promises';
import { StartError } from '@codelab/service-shell';
import { parsePrices, type PriceTable } from '../core/meter-usage.js';

/** The price table of `LLM_PROXY_PRICES_FILE`; empty without one. Throws `StartError` with what to change. */
export async function readPrices(path: string | undefined): Promise<PriceTable> {
  if (path === undefined) return {};
  try {
    return parsePrices(await readFile(path, 'utf8'));
  } catch (cause) {
    const { message } = cause as Error;
    throw new StartError(`LLM_PROXY_PRICES_FILE ${JSON.stringify(path)} can't be used: ${message}`, { cause });
  }
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processBirth } from '../journal/process-birth.js';
import { parseStackRecord, type StackRecord } from './stack-record.js';

const HEALTH_MS = 2_000;

/** The file that says which stack runs on a data directory. */
export const stackFileOf = (dataDir: string): string => join(dataDir, 'stack.json');

/** The record, or nothing if there is none that can be read. */
export async function readStackFile(dataDir: string): Promise<StackRecord | undefined> {
  const text = await readFile(stackFileOf(dataDir), 'utf8').catch(() => ''); // none is the usual case
  return parseStackRecord(text);
}

/** The stack that runs on this data directory, if its gateway answers. */
export async function findLocalStack(dataDir: string): Promise<StackRecord | undefined> {
  const record = await readStackFile(dataDir);
  const url = record?.gateways[0]?.url;
  if (record === undefined || url === undefined || (await processBirth(record.pid)) === undefined) return undefined;
  const answers = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_MS) }).then(
    (response) => response.ok,
    () => false, // its gateway is being restarted, or it is no gateway of ours
  );
  return answers ? record : undefined;
}

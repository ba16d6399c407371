import { readFile } from 'node:fs/promises';
import { NO_TOOLS_FILE, parseToolsFile, ToolsFileError, type ToolsFile } from '@codelab/config-file';
import { findToolsFile, ignoredToolsFile, StartError, type Logger } from '@codelab/service-shell';
import { Gauge, type Registry } from 'prom-client';
import { readVariable, type RuntimeConfig } from './config.js';

/**
 * Reads the tools file, if there is one. What is wrong with an entry is told in one message, and the entry is off. Throws `StartError` where nothing
 * of the file can be read.
 */
export async function openToolsFile(
  config: RuntimeConfig,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Registry },
): Promise<ToolsFile> {
  const ignored = ignoredToolsFile(config);
  if (ignored !== undefined) logger.warn({ event: 'tools_file.ignored', hint: ignored });
  const path = findToolsFile(config);
  if (path === undefined) return NO_TOOLS_FILE;
  const { file, problems } = await readOrThrow(path);
  new Gauge({
    name: 'codelab_runtime_tools_file_problems',
    help: 'What is wrong with entries of the tools file, which are off.',
    registers: [metrics],
  }).set(problems.length);
  if (problems.length > 0) {
    const hint = `These entries of the tools file ${JSON.stringify(path)} can't be used and are off:${listed(problems)}`;
    logger.warn({ event: 'tools_file.problems', hint });
  }
  return file;
}

async function readOrThrow(path: string) {
  try {
    return parseToolsFile(await readFile(path, 'utf8'), readVariable);
  } catch (cause) {
    const problems = cause instanceof ToolsFileError ? cause.problems : [(cause as Error).message];
    throw new StartError(`The tools file ${JSON.stringify(path)} can't be used:${listed(problems)}`, { cause });
  }
}

const listed = (problems: readonly string[]): string => problems.map((problem) => `\n  - ${problem}`).join('');

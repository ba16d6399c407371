import { checkClient, checkGateway, reportLine, reportSum, type CheckClientOptions, type CheckResult } from '@codelab/conformance';
import { readCliConfig } from '../config.js';
import { CommandError } from '../../core/command-error.js';
import { sanitise } from '@codelab/tools/human';

/** The options of `codelab conformance`. */
export interface ConformanceOptions {
  readonly url?: string;
  readonly token?: string;
  readonly otherToken?: string;
  readonly kill?: string;
  readonly drain?: string;
  readonly listen?: boolean;
  readonly run?: string;
  readonly port?: number;
  readonly jobs: number;
  readonly only: readonly string[];
  readonly json?: boolean;
}

/** The streams of the process, and what ends the run behind the checks that have begun. */
export interface ConformanceIo {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** Runs the checks, prints a line for each, and returns the exit code: 1 if one failed. */
export async function runConformance(options: ConformanceOptions, { stdout, stderr, signal }: ConformanceIo): Promise<number> {
  const onResult = (result: CheckResult): void => {
    stdout.write(`${options.json === true ? JSON.stringify(result) : sanitise(reportLine(result))}\n`);
  };
  const tell = (sentence: string): void => void stderr.write(`${sentence}\n`);
  const results = await check(options, { onResult, tell, signal });
  if (options.json !== true) stdout.write(`${reportSum(results)}\n`);
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

type Hooks = Pick<CheckClientOptions, 'onResult' | 'tell' | 'signal'>;

/** Checks what the options name. Throws `CommandError` where they name nothing that can be checked. */
async function check(options: ConformanceOptions, hooks: Hooks): Promise<readonly CheckResult[]> {
  const { url, listen, run, port, jobs, only, otherToken, kill, drain } = options;
  const token = options.token ?? readCliConfig().token;
  if (url !== undefined && token === undefined) throw new CommandError('A gateway needs a token: --token, or CODELAB_TOKEN.', USAGE);
  try {
    if (url !== undefined && token !== undefined) return await checkGateway({ url, token, otherToken, kill, drain, only, ...hooks });
    if (listen === true) return await checkClient({ run, port, jobs, only, ...hooks });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), USAGE);
  }
  throw new CommandError('Name what is checked: --url WS for a gateway, --listen for a client.', USAGE);
}

const USAGE = 2;

import { indexOptions } from '../index/index-options.js';
import { text as readAll } from 'node:stream/consumers';
import { CommandError } from '../../core/command-error.js';
import { EXEC_EXIT } from '../../core/exec/exec-output.js';
import { readCliConfig } from '../config.js';
import { fetchPrograms } from '../programs/fetch-programs.js';
import { needsOfChat } from '../programs/plan-programs.js';
import { chooseGateway, withUsualGateway } from '../session/choose-gateway.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import type { ExecIo, ExecOptions } from './exec-io.js';
import { isTty } from './exec-io.js';
import { ExecRun } from './exec-run.js';

/** Runs one turn and returns the exit code. Throws `CommandError` for what can't even be begun. */
export async function runExec(given: string | undefined, options: ExecOptions, io: ExecIo): Promise<number> {
  const asked = options.approve ?? (canAsk(io) ? 'ask' : 'none');
  const approve = asked === 'ask' && !canAsk(io) ? 'elsewhere' : asked;
  const prompt = await readPrompt(given, io);
  const config = readCliConfig();
  const { dataDir, configDir } = config;
  const say = (text: string) => void io.stderr.write(`${text}\n`);
  const workspace = await chooseWorkspace(options.workspace, dataDir);
  await fetchPrograms(await needsOfChat(config, withUsualGateway(options).url), { dataDir, say });
  const gateway = await chooseGateway(options, say);
  try {
    return await new ExecRun(
      { ...options, approve, prompt },
      { gateway, workspace, dataDir, configDir, index: indexOptions(config) },
      io,
    ).run();
  } finally {
    gateway.stop();
  }
}

/** Whether somebody sits at a terminal: both sides of the conversation must be one. */
const canAsk = ({ stdin, stderr }: ExecIo): boolean => isTty(stdin) && isTty(stderr);

async function readPrompt(given: string | undefined, { stdin }: ExecIo): Promise<string> {
  const fromStdin = given === '-' || (given === undefined && !isTty(stdin));
  const prompt = (fromStdin ? await readAll(stdin) : (given ?? '')).trim();
  if (prompt !== '') return prompt;
  throw new CommandError('There is no prompt: codelab exec --workspace DIR "what to do", or pipe it in.', EXEC_EXIT.usage);
}

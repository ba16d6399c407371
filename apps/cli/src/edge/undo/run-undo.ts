import { createInterface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { openWorkspace, type Undo, type ToolFailure } from '@codelab/workspace';
import { CommandError } from '../../core/command-error.js';
import { renderUndoOutcome, renderUndoPlan, renderUndoTurns } from '../../core/undo/render-undo.js';
import { readCliConfig } from '../config.js';
import { printLines } from '../print-lines.js';
import { findTurn } from './find-turn.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
export interface UndoOptions {
  readonly workspace: string;
  readonly list?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
}

export interface UndoIo {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
}

/** Undone, or shown. */
const DONE = 0;

/** Not undone, or not all of it. */
const NOT_DONE = 1;

const USAGE = 2;

const open = async ({ workspace }: UndoOptions): Promise<Undo> => {
  const { dataDir } = readCliConfig();
  const { identity } = await chooseWorkspace(workspace, dataDir);
  const opened = await openWorkspace({ root: identity.root, dataDir }).catch((error: Error) => {
    throw new CommandError(error.message, USAGE, { cause: error });
  });
  return opened.undo;
};

/** Whether the human says yes; the end of the input says no. */
const confirm = async ({ stdin, stderr }: UndoIo): Promise<boolean> => {
  stderr.write('Undo this? [y/N] ');
  const lines = createInterface({ input: stdin });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
};

const isUnknown = (error: unknown): error is ToolFailure => error instanceof Error && 'code' in error && error.code === 'FILE_NOT_FOUND';

/**
 * `codelab undo`: takes back what a turn did to files. Needs no server. Asks at a terminal; a script is not asked, since an undo can be undone.
 * Returns the exit code.
 */
export async function runUndo(named: string | undefined, options: UndoOptions, io: UndoIo): Promise<number> {
  const undo = await open(options);
  const { stdout, stderr } = io;
  const turns = await undo.list();
  if (options.list === true) {
    printLines(renderUndoTurns(turns, Date.now()), stdout);
    return DONE;
  }
  const turnId = named ?? (await findTurn(undo));
  if (turnId === undefined) {
    stderr.write('There is no turn to undo here.\n');
    return NOT_DONE;
  }
  const plan = await undo.plan(turnId).catch((error: unknown) => {
    throw isUnknown(error) ? new CommandError(`${error.message} \`codelab undo --list\` shows them.`, USAGE, { cause: error }) : error;
  });
  const force = options.force === true;
  printLines(renderUndoPlan(plan, Date.now(), force), stdout);
  const hasWork = plan.steps.some(({ state, canForce }) => state === 'ready' || (force && canForce === true));
  if (hasWork && options.yes !== true && io.stdin.isTTY && !(await confirm(io))) {
    stderr.write('Nothing was undone.\n');
    return NOT_DONE;
  }
  const outcome = await undo.restore(plan.turn.turnId, { force });
  printLines(renderUndoOutcome(plan.turn.turnId, outcome), stdout);
  return outcome.conflicts.length === 0 && (outcome.restored.length > 0 || plan.steps.length > 0) ? DONE : NOT_DONE;
}

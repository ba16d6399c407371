import { MAX_STATUS_OUTPUT_BYTES, type ResultOf } from '@codelab/tools';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolFailure } from '../../tool-failure.js';
import type { CommandOrder, Commands } from '../commands.js';
import { ProcessRecords, type ProcessName, type ProcessRecord } from './process-record.js';
import { findProcess } from '../shell/process-table.js';
import { endTree } from '../shell/process-tree.js';
import { readOutput } from './read-output.js';
import { startSupervised } from './start-supervised.js';

/** Processes of a workspace that run at once. */
const MAX_RUNNING = 16;

/** Processes that have ended and are still told of; beyond it the oldest are forgotten, with their output. */
const MAX_ENDED = 16;

/** Between asking a process to end and killing it, in milliseconds. */
const GRACE_MS = 2_000;

/** How long a start waits for the first output, and an end for the supervisor's word, in milliseconds. */
const FIRST_OUTPUT_MS = 500;
const EXIT_WORD_MS = 2_000;
const LOOK_MS = 20;

/** Between two looks at a process whose end is waited for, in milliseconds. */
const WAIT_LOOK_MS = 100;

/** A character that isn't whole yet is left for the next piece. */
const MAX_CHARACTER_BYTES = 4;

type ProcessStatus = 'running' | 'exited' | 'killed' | 'lost';

type Shown = ResultOf<'run_persistent'> & { readonly status: ProcessStatus };

/** Which part of an output is wanted, and by which session. */
interface OutputWanted {
  readonly sessionId: string;
  readonly offset: number;
  readonly limit: number;
  /** How long to wait for the end of the process, or for `limit` bytes, in milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

const isAlive = async (name: ProcessName | undefined): Promise<boolean> =>
  name !== undefined && (await findProcess(name.pid))?.birth === name.birth;

/** The long-running processes of one workspace. They belong to it and not to this client: the next one finds them by their records. */
export class BackgroundProcesses {
  private readonly records: ProcessRecords;

  constructor(
    private readonly commands: Commands,
    directory: string,
    private readonly maxRunning = MAX_RUNNING,
  ) {
    this.records = new ProcessRecords(directory);
  }

  /**
   * Starts a process under a name, and answers with its first output.
   *
   * @throws ToolFailure `CONFLICT` if the name runs, or too many do; or as {@link Commands.prepare} and the start fail
   */
  async start(processId: string, order: CommandOrder): Promise<Shown> {
    await this.commands.prepare(order, async (ready) => {
      const before = await this.makeRoom(processId);
      const directory = await this.records.claim(processId, before);
      if (directory === undefined) throw new ToolFailure('CONFLICT', `${processId} is being started by another client.`);
      try {
        await ready.verify();
        await startSupervised({ processId, command: order.command, ready, directory, startedAtMs: Date.now(), sessionId: order.sessionId });
      } catch (error) {
        await rm(directory, { recursive: true, force: true });
        throw error;
      }
    });
    return this.firstOutput(processId);
  }

  /** @throws ToolFailure `INVALID_ARGUMENTS` for a name that is not known */
  async status(processId: string, offset: number): Promise<Shown> {
    const record = await this.find(processId);
    const status = await this.statusOf(record);
    const piece = await readOutput(record.directory, offset, { limit: MAX_STATUS_OUTPUT_BYTES, ended: status !== 'running' });
    return { ...(await this.describe(record)), output: piece.output, offset: piece.offset, next_offset: piece.nextOffset };
  }

  /**
   * A piece of what a process has written, for the session that started it.
   *
   * @param limit bytes
   * @throws ToolFailure `INVALID_ARGUMENTS` for a name that is not known there
   */
  async output(processId: string, { sessionId, offset, limit, waitMs, signal }: OutputWanted): Promise<ResultOf<'process.output'>> {
    const until = performance.now() + waitMs;
    for (;;) {
      const record = await this.find(processId, sessionId);
      const status = await this.statusOf(record); // before the output: what comes with its end is there then
      const piece = await readOutput(record.directory, offset, { limit, ended: status !== 'running' });
      const isFull = piece.nextOffset - piece.offset > limit - MAX_CHARACTER_BYTES;
      if (status === 'running' && !isFull && performance.now() < until) {
        await delay(WAIT_LOOK_MS, undefined, { signal });
        continue;
      }
      const { exit_code: exitCode } = await this.describe(record);
      return {
        ...{ data: piece.output, first_offset: piece.offset, next_offset: piece.nextOffset },
        state: status === 'lost' ? 'exited' : status,
        exit_code: status === 'running' ? undefined : (exitCode ?? undefined),
      };
    }
  }

  async list(): Promise<readonly Shown[]> {
    return Promise.all((await this.records.list()).map((record) => this.describe(record)));
  }

  /**
   * Ends a process with everything that it started. One that has ended stays as it is; what it left behind goes.
   *
   * @throws ToolFailure `INVALID_ARGUMENTS` for a name that is not known
   */
  async end(processId: string): Promise<ResultOf<'kill_process'>> {
    const record = await this.find(processId);
    const runs = (await this.statusOf(record)) === 'running';
    if (runs) await this.records.noteKill(record);
    await this.endTree(record, runs);
    if (runs) await this.untilExit(processId, EXIT_WORD_MS);
    const { status, exit_code: exitCode, signal } = await this.describe(await this.find(processId));
    return { success: true, process_id: processId, status: status === 'running' ? 'killed' : status, exit_code: exitCode, signal };
  }

  /** @param sessionId only what this session started counts; without, all of the workspace */
  private async find(processId: string, sessionId?: string): Promise<ProcessRecord> {
    const isMeant = (record: ProcessRecord): boolean => sessionId === undefined || (record.sessionId ?? '') === sessionId;
    const record = await this.records.find(processId);
    if (record !== undefined && isMeant(record)) return record;
    const names = (await this.records.list()).filter(isMeant).map((each) => each.processId);
    const known = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
    const where = sessionId === undefined ? 'workspace' : 'session';
    throw new ToolFailure('INVALID_ARGUMENTS', `There is no process ${processId} of this ${where}; ${known}.`);
  }

  /** The exit is looked at last: it is written before the supervisor ends. */
  private async statusOf(record: ProcessRecord): Promise<ProcessStatus> {
    const lives = (await isAlive(record.supervisor)) || (await isAlive(record.leader));
    const { exit, wasKilled } = (await this.records.find(record.processId)) ?? record;
    if (exit === undefined && lives) return 'running';
    if (wasKilled) return 'killed';
    return exit === undefined ? 'lost' : 'exited';
  }

  private async describe(record: ProcessRecord): Promise<Shown> {
    const status = await this.statusOf(record);
    const { exit } = (await this.records.find(record.processId)) ?? record;
    return {
      process_id: record.processId,
      status,
      command: record.command,
      started_at_ms: record.startedAtMs,
      pid: status === 'running' ? record.leader?.pid : undefined,
      exit_code: exit?.exit_code,
      signal: exit?.signal,
    };
  }

  /** Makes sure that one more may run under this name; answers the ended process that has it. */
  private async makeRoom(processId: string): Promise<ProcessRecord | undefined> {
    const records = await this.records.list();
    const states = await Promise.all(records.map((record) => this.statusOf(record)));
    const ended = records.filter((_, index) => states[index] !== 'running');
    const before = records.find((record) => record.processId === processId);
    if (before !== undefined && !ended.includes(before))
      throw new ToolFailure('CONFLICT', `${processId} runs already; end it with kill_process, or choose another name.`);
    const running = records.length - ended.length;
    if (running >= this.maxRunning)
      throw new ToolFailure(
        'CONFLICT',
        `${String(running)} processes run, at most ${String(this.maxRunning)} may; end one with kill_process.`,
      );
    const others = ended.filter((record) => record !== before);
    for (const record of others.slice(0, Math.max(0, others.length - MAX_ENDED + 1))) await this.forget(record);
    if (before !== undefined) await this.endTree(before, false);
    return before;
  }

  private async forget(record: ProcessRecord): Promise<void> {
    await this.endTree(record, false);
    await this.records.drop(record);
  }

  /** @param runs otherwise another process may have the pid, and only the marker tells */
  private async endTree({ marker, leader }: ProcessRecord, runs: boolean): Promise<void> {
    await endTree({ marker, leader: runs ? leader : undefined }, GRACE_MS);
  }

  private async firstOutput(processId: string): Promise<Shown> {
    const until = performance.now() + FIRST_OUTPUT_MS;
    for (;;) {
      const status = await this.status(processId, 0);
      if (status.output !== '' || status.status !== 'running' || performance.now() > until) return status;
      await delay(LOOK_MS);
    }
  }

  private async untilExit(processId: string, ms: number): Promise<void> {
    const until = performance.now() + ms;
    while ((await this.records.find(processId))?.exit === undefined && performance.now() < until) await delay(LOOK_MS);
  }
}

import { MAX_STREAM_BYTES } from '@codelab/tools';
import { stripVTControlCharacters } from 'node:util';
import { changesOf, type Environment } from '../../inherited-environment.js';
import { ToolFailure } from '../../tool-failure.js';
import type { OpenTerminal, Terminals } from '../terminals.js';
import type { Shell } from './choose-shell.js';
import { OutputEnds } from './output-ends.js';
import { endTree } from './process-tree.js';

interface TerminalRun {
  readonly terminals: Terminals;
  readonly callId: string;
  readonly shell: Shell;
  /** Absolute. */
  readonly directory: string;
  readonly environment: Environment;
  readonly marker: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (stream: 'stdout' | 'stderr', data: string) => void;
  readonly onBytes?: (chunk: Buffer) => void;
}

/** How a command ended in a terminal, which has one output for both streams. */
interface TerminalEnd {
  readonly exitCode: number | null;
  readonly endedBy: string | null;
  readonly stdout: Pick<OutputEnds, 'text' | 'truncated'>;
  readonly stderr: Pick<OutputEnds, 'text' | 'truncated'>;
  readonly durationMs: number;
  readonly timedOut: boolean;
}

/** How often it is looked what a terminal shows, in milliseconds. */
const LOOK_MS = 250;

/** How long a terminal may take to end what it was told to end, in milliseconds: a cancelled call has to answer within 800. */
const KILL_MS = 500;

/** The text of a terminal as that of a pipe. */
const plain = (text: string): string => stripVTControlCharacters(text).replaceAll('\r\n', '\n');

/**
 * Runs a command in a terminal of the user's editor, to its end or until it is stopped; nothing that it started on this machine outlives it. `undefined`:
 * the editor opened none, and nothing was run.
 *
 * @throws ToolFailure `CANCELLED` if the signal stopped it, `OUTCOME_UNKNOWN` if the editor went away
 */
export async function runInTerminal(run: TerminalRun): Promise<TerminalEnd | undefined> {
  const { terminals, callId, shell, directory, environment, marker, timeoutMs, signal } = run;
  const began = performance.now();
  const terminal = await terminals
    .open({
      ...{ callId, program: shell.program, args: shell.args, cwd: directory },
      ...{ environment: changesOf(environment), maxBytes: 2 * MAX_STREAM_BYTES },
    })
    .catch(() => undefined);
  if (terminal === undefined) return undefined;
  const output = new TerminalOutput(terminal, run);
  try {
    const cause = await waitFor(terminal, output, timeoutMs, signal);
    if (cause !== 'exit') {
      await terminal.kill().catch(() => undefined); // it has ended meanwhile
      await Promise.race([terminal.ended.catch(() => undefined), after(KILL_MS)]);
    }
    await endTree({ marker }, KILL_MS);
    await output.look();
    const durationMs = Math.round(performance.now() - began);
    if (cause === 'cancel')
      throw new ToolFailure(
        'CANCELLED',
        `The command was stopped after ${String(durationMs)} ms with all that it had started. What it had done until then stays done.`,
      );
    const end = cause === 'exit' ? await terminal.ended : { exitCode: null, signal: 'SIGKILL' };
    const stdout = output.kept;
    return { exitCode: end.exitCode, endedBy: end.signal, stdout, stderr: new OutputEnds(), durationMs, timedOut: cause === 'timeout' };
  } finally {
    await terminal.release().catch(() => undefined); // the editor is gone, and its terminals with it
  }
}

/** What a terminal shows, as it grows. */
class TerminalOutput {
  private seen = '';
  private truncated = false;

  constructor(
    private readonly terminal: OpenTerminal,
    private readonly run: Pick<TerminalRun, 'onOutput' | 'onBytes'>,
  ) {}

  get kept(): Pick<OutputEnds, 'text' | 'truncated'> {
    const ends = new OutputEnds();
    ends.add(Buffer.from(plain(this.seen)));
    return { text: ends.text, truncated: this.truncated || ends.truncated };
  }

  /** Passes on what has come. Of an output whose beginning is gone nobody knows what is new: its end is in the result. */
  async look(): Promise<void> {
    const shown = await this.terminal.output().catch(() => undefined); // what came until then counts
    if (shown === undefined) return;
    const isMore = shown.text.startsWith(this.seen) && shown.text.length > this.seen.length;
    const fresh = isMore ? plain(shown.text.slice(this.seen.length)) : '';
    [this.seen, this.truncated] = [shown.text, shown.truncated];
    if (fresh === '') return;
    this.run.onOutput('stdout', fresh);
    this.run.onBytes?.(Buffer.from(fresh));
  }
}

async function waitFor(
  terminal: OpenTerminal,
  output: TerminalOutput,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<'exit' | 'timeout' | 'cancel'> {
  let stop: (cause: 'timeout' | 'cancel') => void = () => undefined;
  const stopped = new Promise<'timeout' | 'cancel'>((resolve) => (stop = resolve));
  const onAbort = (): void => stop('cancel');
  const timer = setTimeout(() => stop('timeout'), timeoutMs);
  const looks = setInterval(() => void output.look(), LOOK_MS);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const ended = terminal.ended.then(
      () => 'exit' as const,
      (cause: unknown) => {
        throw new ToolFailure('OUTCOME_UNKNOWN', 'The editor went away while the command ran in its terminal.', { cause });
      },
    );
    return await Promise.race([ended, stopped]);
  } finally {
    clearTimeout(timer);
    clearInterval(looks);
    signal.removeEventListener('abort', onAbort);
  }
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

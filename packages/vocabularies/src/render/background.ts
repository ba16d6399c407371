import type { JsonObject, ResultOf } from '@codelab/tools';
import { RE2JS } from 're2js';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import type { Next, Outcome, UseResult } from '../table/row.js';
import type { UseContext } from '../table/use-context.js';
import { cutLines } from './cut.js';
import { plainOutput } from './plain-output.js';
import { MAX_RESULT } from './shown-lines.js';

const failed = (text: string): UseResult => ({ text, isError: true });
const unknown = (id: string): UseResult => failed(`Error: no background command ${id}`);

/** Names that are tried for a new process: another session of the workspace may have some of them. */
const MAX_TRIES = 5;

/** Starts a command in the background, as `{prefix}_{n}`. */
export function startBackground(
  {
    command,
    prefix,
    cwd,
    told,
  }: { readonly command: string; readonly prefix: string; readonly cwd?: string | undefined; readonly told?: (id: string) => string },
  outcomes: readonly Outcome[],
  { marks, has }: UseContext,
): Next {
  if (!has('run_persistent') || !has('process.output'))
    return failed('Error: this client runs no commands in the background; run it without');
  const last = outcomes.at(-1);
  const taken = outcomes.filter((outcome) => !outcome.ok && outcome.code === 'CONFLICT').length;
  if (last === undefined || (!last.ok && last.code === 'CONFLICT' && taken < MAX_TRIES)) {
    const args: JsonObject = { command, process_id: `${prefix}_${String(marks.started + taken + 1)}` };
    return { call: { tool: 'run_persistent', args: cwd === undefined ? args : { ...args, cwd } } };
  }
  if (!last.ok) return failed(canonicalError(last.code, last.message));
  const started = marks.started + taken + 1;
  const id = `${prefix}_${String(started)}`;
  return { text: told?.(id) ?? `Running in the background as ${id}.`, marks: { started, cursors: { [id]: 0 } } };
}

export interface Reading {
  readonly id: string;
  /** A regular expression: only lines in which it is found are shown, the others are passed over. */
  readonly filter?: string | undefined;
  /** Waits for the end of the process, so long at most, in milliseconds. */
  readonly blockMs?: number | undefined;
}

const WAIT_MS = 30_000;
/**
 * Bytes asked for at once, and those after which no more are. Together they stay below what a result may have, so that nothing is passed over
 * unseen. A filter drops most lines, so it is given more at once, and is cut where what it keeps is too long.
 */
const UNFILTERED = { page: 28_000, enough: MAX_RESULT - 29_000 } as const;
const FILTERED = { page: 65_536, enough: MAX_RESULT } as const;
/** Bytes that a full page may lack, where a character would have been parted. */
const PARTED = 3;

/** What a background process has written since it was read last, with its state. */
export function readBackground({ id, filter, blockMs = 0 }: Reading, outcomes: readonly Outcome[], { marks }: UseContext): Next {
  const cursor = Object.hasOwn(marks.cursors, id) ? marks.cursors[id] : undefined;
  if (cursor === undefined) return unknown(id);
  const matches = filter === undefined || filter === '' ? undefined : toFilter(filter);
  if (matches !== undefined && 'fault' in matches)
    return failed(canonicalError('INVALID_ARGUMENTS', `filter: ${matches.fault}; expected a regular expression`));
  const last = outcomes.at(-1);
  const wait = Math.min(WAIT_MS, Math.max(0, blockMs - (outcomes.length - 1) * WAIT_MS));
  const { page: bytes, enough } = matches === undefined ? UNFILTERED : FILTERED;
  const page = (offset: number, waitMs: number): Next => ({
    call: { tool: 'process.output', args: { process_id: id, offset, limit: bytes, ...(waitMs > 0 && { wait_ms: waitMs }) } },
  });
  if (last === undefined) return page(cursor, 0);
  if (!last.ok) return last.code === 'INVALID_ARGUMENTS' ? unknown(id) : failed(canonicalError(last.code, last.message));
  const result = resultOf('process.output', last);
  const { state, next_offset: next = cursor } = result;
  const isBehind = next - (nextOf(outcomes.at(-2)) ?? cursor) >= bytes - PARTED;
  const waits = state === 'running' && blockMs > 0 && wait > 0;
  const text = textOf(outcomes);
  if ((isBehind || waits) && Buffer.byteLength(text) <= enough) return page(next, isBehind ? 0 : wait);
  const more = isBehind ? ['[cut: there is more output; look again]'] : [];
  return { text: [tell(plainOutput(text), result, matches?.test), ...more].join('\n'), marks: { cursors: { [id]: next } } };
}

const nextOf = (outcome: Outcome | undefined): number | undefined =>
  outcome?.ok === true ? resultOf('process.output', outcome).next_offset : undefined;

const textOf = (outcomes: readonly Outcome[]): string =>
  outcomes.map((outcome) => (outcome.ok ? (resultOf('process.output', outcome).data ?? '') : '')).join('');

type Filter = { readonly test: (line: string) => boolean } | { readonly fault: string };

/** Linear in the length of the lines, whatever the expression. */
const toFilter = (filter: string): Filter => {
  try {
    const compiled = RE2JS.compile(filter);
    return { test: (line) => compiled.matcher(line).find() };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'not understood' };
  }
};

type Output = Partial<ResultOf<'process.output'>>;

/** `completed` and `failed` are what a process came to that ended by itself. */
const stateOf = ({ state = 'exited', exit_code: code }: Output): string =>
  state === 'exited' ? (code === 0 ? 'completed' : 'failed') : state;

const tell = (data: string, result: Output, test: ((line: string) => boolean) | undefined): string => {
  const lines = data === '' ? [] : data.replace(/\n$/, '').split('\n');
  const shown =
    test === undefined ? lines.join('\n') : cutLines(lines.filter(test), () => 'what is left out does not come again; narrow filter');
  const exit = typeof result.exit_code === 'number' ? [`exit_code: ${String(result.exit_code)}`] : [];
  return [`status: ${stateOf(result)}`, ...exit, '', shown === '' ? '(no new output)' : shown].join('\n');
};

/** Stops a background process of the session. */
export function stopBackground(id: string, outcomes: readonly Outcome[], { marks, has }: UseContext): Next {
  const cursor = Object.hasOwn(marks.cursors, id) ? marks.cursors[id] : undefined;
  if (cursor === undefined) return unknown(id);
  const last = outcomes.at(-1);
  // What it came to by itself can only be told before it is stopped.
  if (last === undefined)
    return has('process.output') ? { call: { tool: 'process.output', args: { process_id: id, offset: cursor, limit: 1 } } } : kill(id);
  if (last.tool === 'process.output') {
    if (!last.ok) return last.code === 'INVALID_ARGUMENTS' ? unknown(id) : failed(canonicalError(last.code, last.message));
    if (last.result.state === 'running') return kill(id);
    const { exit_code: code } = last.result;
    return { text: `${id} had ended${typeof code === 'number' ? ` (exit code ${String(code)})` : ''}.` };
  }
  return last.ok ? { text: `Stopped ${id}.` } : failed(canonicalError(last.code, last.message));
}

const kill = (process_id: string): Next => ({ call: { tool: 'kill_process', args: { process_id } } });

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ChaosEvent, ChaosEventBody } from './chaos-event.js';
import { startRunClock, type RunClock } from './run-clock.js';

/** What is held before it is written, in characters. */
const BUFFER_CHARACTERS = 256 * 1024;

/** Writes down what happens in a run, a JSON line for each event. It holds no more than one buffer of them. */
export interface Recorder {
  readonly path: string;
  readonly clock: RunClock;
  /** Events so far. */
  readonly count: number;
  /** Records it as of now; another process's event keeps its own time. Does nothing after `close`. */
  record(event: ChaosEventBody & { readonly at?: number }): void;
  /** Calls back for each event from now on, in the order in which they are recorded. Returns what ends it. */
  listen(listener: (event: ChaosEvent, index: number) => void): () => void;
  /** Writes out what is held, so that the file can be read. */
  flush(): void;
  close(): void;
}

/** Opens a recording; a file that is there already is replaced. */
export function openRecorder(path: string, clock: RunClock = startRunClock()): Recorder {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  const listeners = new Set<(event: ChaosEvent, index: number) => void>();
  let held: string[] = [];
  let characters = 0;
  let count = 0;
  let isOpen = true;
  const flush = (): void => {
    if (!isOpen || held.length === 0) return;
    writeSync(file, held.join(''));
    held = [];
    characters = 0;
  };
  return {
    path,
    clock,
    get count() {
      return count;
    },
    record: (body) => {
      if (!isOpen) return;
      const { at = clock.at(), ...rest } = body;
      const event = { at, ...rest } as ChaosEvent;
      const line = `${JSON.stringify(event)}\n`;
      held.push(line);
      characters += line.length;
      count += 1;
      if (characters >= BUFFER_CHARACTERS) flush();
      for (const listener of [...listeners]) listener(event, count - 1);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    flush,
    close: () => {
      if (!isOpen) return;
      flush();
      isOpen = false;
      listeners.clear();
      closeSync(file);
    },
  };
}

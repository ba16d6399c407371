import { cutContent, JsonText, LIMITS, summariseMessage, type Snapshot } from '@codelab/protocol';
import type { QueuedMessage, SessionReading } from '@codelab/bus';
import type { RunningTurn } from './read-partial.js';
import { isOpen, presentCall } from '../delivery/present-call.js';
import { presentItem } from './present-item.js';

/** A snapshot, and the ids of open calls that were too large for it: they follow as frames of their own. */
export interface BuiltSnapshot {
  readonly snapshot: Snapshot;
  readonly leftOut: readonly string[];
}

/** A result in the history above this many characters is cut; REST has the whole. */
const MAX_RESULT_CHARACTERS = 4_096;
/** Shares of `MAX_SNAPSHOT_BYTES`: each part fits in its own, and all of them and the field names in the whole. */
const SHARES = { calls: 0.4, partial: 0.25, queue: 0.1, todos: 0.05, history: 0.18 } as const;

const shareOf = (part: keyof typeof SHARES): number => Math.floor(LIMITS.MAX_SNAPSHOT_BYTES * SHARES[part]);

/** The session as it is, in at most 1 MB: what doesn't fit is cut, left to REST or sent after it, never a reason to fail. */
export function buildSnapshot(reading: SessionReading, running: RunningTurn | undefined): BuiltSnapshot {
  const history = fitHistory(reading.history);
  const from = reading.historyFrom + reading.history.length - history.length;
  const { shown, leftOut } = fitCalls(reading);
  const { partial } = running ?? {};
  const snapshot: Snapshot = {
    seq: reading.meta.seq,
    history,
    ...(from > 0 ? { history_cursor: String(from) } : {}),
    ...(running === undefined ? {} : { turn: running.turn }),
    open_calls: shown,
    todos: fitTodos(reading.todos),
    ...(reading.meta.mode === '' ? {} : { mode: reading.meta.mode }),
    ...fitWaiting(reading),
    ...(partial !== undefined && Buffer.byteLength(partial.text) <= shareOf('partial') ? { partial } : {}),
  };
  return { snapshot, leftOut };
}

/** The newest items that fit, oldest first. */
const fitHistory = (items: readonly string[]): JsonText[] => {
  const newestFirst = items.slice(-LIMITS.SNAPSHOT_HISTORY_ITEMS).map(presentItem).map(cutItem).reverse();
  return [...fitFirst(newestFirst, shareOf('history'))].reverse().map((text) => new JsonText(text));
};

/** The first texts whose bytes fit together. */
function fitFirst(texts: readonly string[], bytes: number): readonly string[] {
  let left = bytes;
  const end = texts.findIndex((text) => (left -= Buffer.byteLength(text) + 1) < 0);
  return end === -1 ? texts : texts.slice(0, end);
}

function cutItem(text: string): string {
  if (text.length <= MAX_RESULT_CHARACTERS) return text;
  const item = JSON.parse(text) as Record<string, unknown>;
  if (item['role'] !== 'tool' || typeof item['content'] !== 'string') return text;
  return JSON.stringify({ ...item, ...cutContent(item['content'], MAX_RESULT_CHARACTERS) });
}

function fitCalls({ calls }: SessionReading) {
  const shown: JsonText[] = [];
  const leftOut: string[] = [];
  let left = shareOf('calls');
  for (const record of calls.filter(isOpen)) {
    const text = presentCall(record, 'hello', true);
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > left) {
      leftOut.push(record.callId);
    } else {
      left -= bytes;
      shown.push(new JsonText(text));
    }
  }
  return { shown, leftOut };
}

/** The first messages that fit, those that go into the turn that runs before those that wait for one. */
function fitWaiting({ queue, steering }: SessionReading): Pick<Snapshot, 'queue' | 'steering'> {
  const fitting = fitFirst([...steering, ...queue].map(presentQueued), shareOf('queue')).map((text) => new JsonText(text));
  const sooner = fitting.slice(0, steering.length);
  return { queue: fitting.slice(steering.length), ...(sooner.length > 0 ? { steering: sooner } : {}) };
}

const presentQueued = ({ messageId, frame }: QueuedMessage): string => {
  const { content } = JSON.parse(frame) as { readonly content?: unknown };
  return summariseMessage(messageId, typeof content === 'string' ? content : '');
};

/** The first that fit. */
const fitTodos = (text: string): JsonText[] => {
  const todos = text === '' ? [] : (JSON.parse(text) as unknown);
  const texts = Array.isArray(todos) ? todos.map((todo) => JSON.stringify(todo)) : [];
  return fitFirst(texts, shareOf('todos')).map((todo) => new JsonText(todo));
};

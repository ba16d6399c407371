import { cutContent, type ServerFrameOf } from '@codelab/protocol';
import { findRow, sourceRow } from '@codelab/vocabularies';
import { canonicalName } from '../model/offered-tools.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { callsOf, type Call, type Step, type Turn, type Use, usesOf } from '../turn/turn-state.js';

type Frame = ServerFrameOf<'tool_use'>;
type Status = Frame['status'];
type Item = NonNullable<Frame['items']>[number];

/** Whether somebody reads what happens to tools before and between their calls. */
export const seesTools = ({ context: { facts } }: StepBuilder): boolean =>
  facts.capabilities.has('tool_status') || facts.capabilities.has('tool_use');

/** The model has begun to write a call: it has its id from now on. */
export function tellBegun(builder: StepBuilder, useId: string, name: string): void {
  builder.sayStatus(useId, canonicalName(builder.runningTurn, name) ?? name, 'generating');
  say(builder, { use_id: useId, ...namesOf(builder.runningTurn, name), status: 'generating' });
}

/** Nothing comes of the calls that the model has begun to write. */
export function tellNoneBegun(builder: StepBuilder, { begun }: Pick<Step, 'begun'>): void {
  for (const useId of Object.values(begun)) {
    builder.sayStatus(useId, undefined, 'canceled');
    say(builder, { use_id: useId, status: 'canceled' });
  }
}

/** The model has written a call to its end. */
export const tellWritten = (builder: StepBuilder, useId: string, name: string): void =>
  say(builder, { use_id: useId, ...namesOf(builder.runningTurn, name), status: 'generated' });

/**
 * Tells of each use that is further than it was before this step. Of one call or of several, it is told alike: it waits while one of its calls
 * waits for a human, and has ended when the model's result is there. `over`: no more calls are made.
 */
export function tellUses(builder: StepBuilder, over = false): void {
  const { turn, before } = builder;
  if (turn === undefined || !builder.context.facts.capabilities.has('tool_use')) return;
  const known = before.turn?.turnId === turn.turnId ? before.turn : undefined;
  for (const use of usesOf(turn)) {
    const earlier = known && usesOf(known).find(({ useId }) => useId === use.useId);
    const told = builder.toldUses.get(use.useId) ?? (earlier && known && statusOf(earlier, callsOfUse(known, earlier)));
    const calls = callsOfUse(turn, use);
    const status = statusOf(use, calls, over);
    if (status === told) continue;
    const own = use.row?.own;
    const names =
      own === undefined
        ? namesOf(turn, use.row?.name ?? calls[0]?.toolName ?? '')
        : { tool_name: own.tool, title: sourceRow(own.tool, own).displayName };
    const ends = status === 'done' || status === 'errored';
    const call_ids = use.callIds.length > 0 ? [...use.callIds] : undefined;
    say(builder, { use_id: use.useId, ...names, status, call_ids, items: ends ? itemsOf(use, calls, names.title) : undefined });
  }
}

const callsOfUse = (turn: Turn, { callIds }: Use): readonly Call[] => callsOf(turn).filter(({ callId }) => callIds.includes(callId));

const statusOf = ({ row }: Use, calls: readonly Call[], over = false): Status => {
  const last = calls.at(-1);
  const end = row === undefined ? (last?.state === 'settled' ? last.result : undefined) : row.end;
  if (end !== undefined) return !end.isError ? 'done' : end.outcome === 'CANCELLED' ? 'canceled' : 'errored';
  if (calls.some(({ state }) => state === 'waiting_approval')) return 'waiting_approval';
  if (over && row !== undefined) return last?.state === 'settled' && last.result.isError ? 'errored' : 'canceled';
  return calls.length === 0 || last?.state === 'handed_over' ? 'generated' : 'calling';
};

const namesOf = (turn: Turn, name: string): { readonly tool_name: string; readonly title: string } => {
  const row = findRow(turn.vocabulary, name);
  const tool_name = row === undefined ? (canonicalName(turn, name) ?? name) : name;
  return { tool_name, title: row?.displayName ?? toTitle(tool_name) };
};

/** `git.diff` → `Git diff`: the names of tools without a row are words. */
const toTitle = (name: string): string => {
  const words = name.replace(/^client__/, '').replaceAll(/[._-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Characters of an item that go with the frame. */
const MAX_ITEM_CHARACTERS = 4_096;
const MAX_ITEMS = 32;

/** What came out of a use: its parts, else the result in one piece. */
const itemsOf = ({ row }: Use, calls: readonly Call[], title: string): Item[] => {
  const last = calls.at(-1);
  const whole = row?.end?.text ?? (last?.state === 'settled' ? last.result.content : '');
  const parts = row?.end?.items ?? [{ name: title, description: 'Tool output' }];
  return parts.slice(0, MAX_ITEMS).map(({ name, description, uri, icon, content = whole }) => ({
    ...{ name, description, uri, icon },
    ...cutContent(content, MAX_ITEM_CHARACTERS),
  }));
};

const say = (builder: StepBuilder, frame: Omit<Frame, 'type'>): void => {
  if (!builder.context.facts.capabilities.has('tool_use')) return;
  builder.toldUses.set(frame.use_id, frame.status);
  builder.say({ type: 'tool_use', ...frame });
};

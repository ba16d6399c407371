import { newTurn } from '../turn/new-turn.js';
import type { InboxEntry } from '@codelab/bus';
import type { StepBuilder } from '../turn/step-builder.js';
import { toQueued } from '../turn/to-queued.js';
import { MAX_TITLE_CHARACTERS } from '../turn/runtime-limits.js';
import { shownModel } from '../turn/turn-state.js';
import { readUserMessage, writeUserMessage } from '../history/write-user-message.js';

type MessageEntry = Extract<InboxEntry, { kind: 'message' }>;

/** Starts a turn with what the user said; a steered message joins the turn that runs and waits for its next model request. */
export function applyMessage(builder: StepBuilder, entry: MessageEntry): void {
  const { turn } = builder;
  const message = { messageId: entry.messageId, frame: entry.frame };
  if (turn === undefined && !entry.steered) return startTurn(builder, entry);
  if (turn === undefined) builder.strays = [...builder.strays, { ...message, turnId: entry.turnId }];
  else builder.change({ steered: [...turn.steered, message] });
}

/** Messages that were steered into a turn which ended before they came: they join the turn that has begun since, or one begins with them. */
export function placeStrays(builder: StepBuilder): void {
  const { turn, strays } = builder;
  const [first] = strays;
  if (first === undefined) return;
  builder.strays = [];
  if (turn !== undefined) return builder.change({ steered: [...strays, ...turn.steered] });
  builder.endTurn = { turnId: first.turnId, requeue: strays.map((message) => toQueued(builder, message)) };
}

const startTurn = (builder: StepBuilder, entry: MessageEntry): void => {
  const { facts, limits } = builder.context;
  const said = readUserMessage(entry.frame);
  const model = [said.model, facts.model, limits.defaultModel].find((name) => name !== undefined && name !== '') ?? '';
  const { nowMs } = builder;
  builder.state = {
    ...builder.state,
    turn: newTurn({ turnId: entry.turnId, messageIds: [entry.messageId], model, agent: said.agent ?? facts.agent }, nowMs),
  };
  if (facts.program === undefined) writeUserMessage(builder, entry); // what a program says is in the base of its requests
  builder.say({ type: 'turn_started', turn_id: entry.turnId, message_ids: [entry.messageId], model: shownModel({ model }) });
  builder.events.push({ kind: 'turn_started', turnId: entry.turnId });
  if (facts.title === '' && facts.program === undefined) builder.meta = { ...builder.meta, title: toTitle(said.content) };
};

/** The first line of a message that says something. No model is asked for it. */
export const toTitle = (content: string): string => {
  const line = content.split('\n').find((text) => text.trim() !== '') ?? '';
  const characters = [...line.trim().replaceAll(/\s+/g, ' ')];
  return characters.length <= MAX_TITLE_CHARACTERS ? characters.join('') : `${characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('')}…`;
};

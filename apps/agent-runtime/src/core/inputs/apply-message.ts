import type { InboxEntry } from '@codelab/bus';
import type { Attachment } from '@codelab/protocol';
import type { StepBuilder } from '../turn/step-builder.js';
import { findAgent } from '../model/agent-modes.js';
import { tellAgain, tellNews } from '../prompt/tell-news.js';
import { MAX_TITLE_CHARACTERS } from '../turn/runtime-limits.js';
import { chooseVocabulary } from '../model/choose-vocabulary.js';
import { sayFinal } from '../model/stream-text.js';
import { type Compacting, newTurn, shownModel } from '../turn/turn-state.js';

type MessageEntry = Extract<InboxEntry, { kind: 'message' }>;

/**
 * Starts a turn with what the user said; a steered message waits for the next model request of the turn that it was steered into. If that is
 * over, the store has given the message a place in the queue.
 */
export function applyMessage(builder: StepBuilder, entry: MessageEntry): void {
  const { turn } = builder;
  if (turn === undefined && !entry.steered) startTurn(builder, entry);
  else if (turn?.turnId === entry.turnId)
    builder.change({ steered: [...turn.steered, { messageId: entry.messageId, frame: entry.frame }] });
}

/** A steered message was taken out while it waited. */
export function applyRemoved(builder: StepBuilder, messageId: string): void {
  const { turn } = builder;
  if (turn !== undefined) builder.change({ steered: turn.steered.filter((message) => message.messageId !== messageId) });
}

const startTurn = (builder: StepBuilder, entry: MessageEntry): void => {
  const { facts, limits } = builder.context;
  const said = readUserMessage(entry.frame);
  const agent = said.agent ?? facts.agent;
  const model =
    [said.model, findAgent(facts, agent).own?.model, facts.model, limits.defaultModel].find((name) => name !== undefined && name !== '') ??
    '';
  const { nowMs } = builder;
  builder.state = {
    ...builder.state,
    turn: newTurn(
      {
        turnId: entry.turnId,
        messageIds: [entry.messageId],
        model,
        agent,
        vocabulary: chooseVocabulary(builder.context, model),
        trace: builder.context.beginTrace?.(entry.turnId, said.traceparent ?? facts.program?.traceparent),
      },
      nowMs,
    ),
  };
  tellNews(builder);
  if (facts.program === undefined && said.command === undefined) writeUserMessage(builder, entry); // what a program says is in the base of its requests
  builder.say({ type: 'turn_started', turn_id: entry.turnId, message_ids: [entry.messageId], model: shownModel({ model }) });
  builder.events.push({ kind: 'turn_started', turnId: entry.turnId });
  if (said.command === 'compact') builder.change({ phase: { kind: 'starting', compacting: { ...focusOf(said), byCommand: true } } });
  if (said.command === 'clear') clear(builder);
  if (facts.title === '' && facts.program === undefined && said.command === undefined)
    builder.meta = { ...builder.meta, title: toTitle(said.content) };
};

/** The first line of a message that says something. No model is asked for it. */
export const toTitle = (content: string): string => {
  const line = content.split('\n').find((text) => text.trim() !== '') ?? '';
  const characters = [...line.trim().replaceAll(/\s+/g, ' ')];
  return characters.length <= MAX_TITLE_CHARACTERS ? characters.join('') : `${characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('')}…`;
};

/**
 * Puts what was steered into the running turn into the history, before the next request, and tells of it. Answers what is to be compacted
 * first, if they say so.
 */
export function takeSteered(builder: StepBuilder): Compacting | undefined {
  const { turnId, steered, messageIds } = builder.runningTurn;
  const said = steered.map((message) => ({ message, ...readUserMessage(message.frame) }));
  const taken = said.filter(({ command }) => command !== 'clear'); // not in the middle of a turn
  if (taken.length === 0) return undefined;
  for (const { message, command } of taken) if (command === undefined) writeUserMessage(builder, message);
  const ids = taken.map(({ message }) => message.messageId);
  builder.change({ steered: steered.filter(({ messageId }) => !ids.includes(messageId)), messageIds: [...messageIds, ...ids] });
  builder.taken = ids;
  builder.say({ type: 'turn_steered', turn_id: turnId, message_ids: ids });
  const compact = taken.findLast(({ command }) => command === 'compact');
  return compact && focusOf(compact);
}

/** What the user wants to be kept: their words without the command. */
const focusOf = ({ content }: UserMessageFrame): Compacting => ({ focus: content.trim().replace(/^\/?compact\b\s*/i, '') || undefined });

/** The model begins anew; the record stays. */
const clear = (builder: StepBuilder): void => {
  forgetAll(builder);
  sayFinal(
    builder,
    { messageId: builder.context.newId('msg') },
    'The conversation starts afresh from here. What was said before stays in the record.',
  );
};

const forgetAll = (builder: StepBuilder): void => {
  builder.remember({ role: 'clear', at_ms: builder.nowMs });
  builder.dropReads();
  tellAgain(builder);
  const { context } = builder.state;
  if (context !== undefined) builder.learn({ ...context, tokens: 0 });
};

/** What a `user_message` frame says to a turn. */
interface UserMessageFrame {
  readonly content: string;
  readonly attachments?: readonly Attachment[];
  readonly agent?: string;
  readonly model?: string;
  readonly command?: 'compact' | 'clear';
  readonly traceparent?: string;
}

/** Reads a `user_message` frame that the gateway has checked and stored. */
const readUserMessage = (frame: string): UserMessageFrame => JSON.parse(frame) as UserMessageFrame;

/** Puts what the user said into the history. */
function writeUserMessage(builder: StepBuilder, { messageId, frame }: { readonly messageId: string; readonly frame: string }): void {
  const { content, attachments } = readUserMessage(frame);
  builder.remember({
    role: 'user',
    turn_id: builder.runningTurn.turnId,
    message_id: messageId,
    content,
    attachments: attachments?.length === 0 ? undefined : attachments,
    at_ms: builder.nowMs,
  });
}

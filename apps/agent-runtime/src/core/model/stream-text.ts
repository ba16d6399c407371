import type { StepDelta, StepReading, StepWait } from '@codelab/bus';
import { LIMITS } from '@codelab/protocol';
import type { StepBuilder } from '../turn/step-builder.js';
import { seesTools, tellBegun, tellNoneBegun } from '../uses/tell-uses.js';
import { FLUSH_INTERVAL_MS, MAX_TOKEN_UNITS } from '../turn/runtime-limits.js';
import { type MessageName, type Step, stepOf, toReason } from '../turn/turn-state.js';

type NewMessageId = () => string;

/** The message that a repeated request fills. What nobody has seen of the first one is not worth a new name. */
export function renameMessage(step: MessageName & { readonly shown: number }, newMessageId: NewMessageId): MessageName {
  if (step.shown > 0) return { messageId: newMessageId(), replaces: step.messageId };
  return { messageId: step.messageId, replaces: step.replaces };
}

/** The step with another attempt at it, which begins at offset 0 again. An older attempt changes nothing. */
export function takeAttempt(step: Step, attempt: number, newMessageId: NewMessageId): Step {
  if (attempt <= step.attempt) return step;
  const { stepId, compacting } = step;
  return { stepId, compacting, ...renameMessage(step, newMessageId), attempt, shown: 0, begun: {}, text: '', flushedAtMs: 0 };
}

/** Text at an offset, put to what is known: repeats are dropped, what is behind a hole waits for the hole to be filled. */
export function joinText(step: Step, offset: number, text: string): Step {
  const end = offset + text.length;
  if (offset <= step.text.length) {
    if (end <= step.text.length) return step;
    return closeHole({ ...step, text: step.text + text.slice(step.text.length - offset) });
  }
  const { ahead } = step;
  if (ahead !== undefined && offset >= ahead.offset && offset <= ahead.offset + ahead.text.length) {
    if (end <= ahead.offset + ahead.text.length) return step;
    return { ...step, ahead: { offset: ahead.offset, text: ahead.text + text.slice(ahead.offset + ahead.text.length - offset) } };
  }
  return { ...step, ahead: { offset, text } };
}

const closeHole = (step: Step): Step => {
  const { ahead, ...whole } = step;
  if (ahead === undefined || ahead.offset > step.text.length) return step;
  return { ...whole, text: step.text + ahead.text.slice(Math.min(step.text.length - ahead.offset, ahead.text.length)) };
};

/** Whether text is missing before what has come, so that the step's record has to be read. */
export const hasHole = (step: Step): boolean => step.ahead !== undefined || step.text.length < step.shown;

/** Takes what a model has written meanwhile: text, and calls that it has begun. */
export function applyDelta(builder: StepBuilder, delta: StepDelta): void {
  const step = stepOf(builder.turn);
  if (step?.stepId !== delta.stepId || delta.attempt < step.attempt) return;
  if (delta.wait !== undefined) return keepWait(builder, beginAttempt(builder, step, delta.attempt), delta.wait);
  if (delta.text === '' && !seesTools(builder)) return; // nobody hears of it, so nothing is stored
  const fresh = beginAttempt(builder, step, delta.attempt);
  const joined = joinText({ ...fresh, retry: undefined }, delta.offset, delta.text);
  builder.keepText(joined);
  if (delta.tool !== undefined) beginCall(builder, joined, delta.tool);
}

/** What is said of a wait is over with the first sign of an answer. */
function keepWait(builder: StepBuilder, step: Step, { code, message, attempt, maxAttempts, delayMs }: StepWait): void {
  if (step.text !== '') return;
  const retry = { reason: toReason(code), message, attempt, maxAttempts, atMs: builder.nowMs + delayMs };
  builder.keepText({ ...step, retry });
}

/** Takes the record of the step: the text that was written while nobody here listened. */
export function applyReading(builder: StepBuilder, reading: StepReading & { readonly stepId: string }): void {
  const step = stepOf(builder.turn);
  if (step?.stepId !== reading.stepId || reading.attempt < step.attempt || reading.state === 'requested') return;
  builder.keepText(joinText(beginAttempt(builder, step, reading.attempt), 0, reading.partial));
}

const beginAttempt = (builder: StepBuilder, step: Step, attempt: number): Step => {
  if (attempt <= step.attempt) return step;
  tellNoneBegun(builder, step);
  const fresh = takeAttempt(step, attempt, () => builder.context.newId('msg'));
  builder.change({ phase: { kind: 'asking', step: fresh } });
  return fresh;
};

/** A call that is being written gets its id now, so that its status, its frame and its result have one name. */
const beginCall = (builder: StepBuilder, step: Step, { index, name }: NonNullable<StepDelta['tool']>): void => {
  if (!seesTools(builder) || Object.hasOwn(step.begun, index)) return;
  const callId = builder.context.newId('call');
  builder.change({ phase: { kind: 'asking', step: { ...step, begun: { ...step.begun, [index]: callId } } } });
  tellBegun(builder, callId, name);
};

/** Puts the text that nobody has seen to the log: the first at once, the rest every 25 ms. */
export function flushText(builder: StepBuilder): void {
  const step = stepOf(builder.turn);
  if (step === undefined || step.text.length <= step.shown || builder.nowMs < step.flushedAtMs + FLUSH_INTERVAL_MS) return;
  sayTokens(builder, step, step.text);
  builder.change({ phase: { kind: 'asking', step: { ...step, shown: step.text.length, flushedAtMs: builder.nowMs } } });
}

/** Puts what is new of a message to the log, in frames that are not too long; `final`: the last of them ends the turn's text. */
export function sayTokens(builder: StepBuilder, step: Step, text: string, final?: Final): void {
  const { messageId: message_id, replaces } = step;
  const tokens = cutTokens(text, step.shown);
  if (final !== undefined && tokens.length === 0) tokens.push('');
  for (const [place, token] of tokens.entries()) {
    const ends = final !== undefined && place === tokens.length - 1;
    const names = replaces !== undefined && (ends || (step.shown === 0 && place === 0)) ? { replaces } : {};
    builder.say({ type: 'assistant_message', message_id, token, is_final: ends, ...(ends ? final : {}), ...names });
  }
}

/** The whole message goes with its last frame, up to a limit (docs/specification/wire.md#text). */
export const toFinal = (content: string): Final =>
  Buffer.byteLength(content) > LIMITS.MAX_FINAL_CONTENT_BYTES ? { content_truncated: true } : { content };

/** What the last text frame of a completed turn carries beside its token. */
export type Final = { readonly content: string } | { readonly content_truncated: true };

const cutTokens = (text: string, from: number): string[] =>
  Array.from({ length: Math.ceil(Math.max(text.length - from, 0) / MAX_TOKEN_UNITS) }, (_, place) =>
    text.slice(from + place * MAX_TOKEN_UNITS, from + (place + 1) * MAX_TOKEN_UNITS),
  );

/** Keeps the text of an answer that will not be finished: shows what nobody has seen of it, and puts it into the history. */
export function writePartialText(builder: StepBuilder, step: Step): void {
  sayTokens(builder, step, step.text);
  tellNoneBegun(builder, step);
  if (step.text === '') return;
  const { turnId } = builder.runningTurn;
  builder.remember({
    role: 'assistant',
    turn_id: turnId,
    message_id: step.messageId,
    content: step.text,
    tool_calls: [],
    at_ms: builder.nowMs,
  });
}

/** Says a text of the service as the last of the turn, and ends it: it is no part of the conversation. */
export function sayFinal(builder: StepBuilder, message: MessageName, text: string): void {
  const step: Step = { stepId: '', ...message, attempt: 0, shown: 0, begun: {}, text: '', flushedAtMs: 0 };
  sayTokens(builder, step, text, toFinal(text));
  builder.enter({ kind: 'answered' });
}

import { keepReviewed, linesOfPart, type Review } from '@codelab/tools/patch';
import { askApproval, stepApproval } from '../approval/approval-prompt.js';
import { stepReview, takeEditedPart } from '../approval/step-review.js';
import type { PendingCall } from '../approval/pending-call.js';
import { stepQuestion } from '../approval/question-prompt.js';
import { askReview, pickHunks, type ReviewPrompt } from '../approval/review-prompt.js';
import { askForm, stepForm } from '../form/form-prompt.js';
import type { Key } from '../input/key.js';
import type { Asked, Attention, ChatEffect, ChatEvent, ChatState, ChatStep } from './chat-state.js';
import { tell } from './tell.js';
/** A key that was pressed for something else must not decide what has just appeared. */
export const ARMING_MS = 400;

/** What a key does to what asks for attention. */
export function answerWithKey(state: ChatState, attention: Attention, key: Key): ChatStep {
  const { callId } = attention.prompt;
  switch (attention.kind) {
    case 'approval':
      return answerApproval(state, attention, key);
    case 'hunks': {
      const step = stepReview(attention.prompt, key);
      if (step.kind === 'prompt') return stay({ ...state, attention: { ...attention, prompt: step.prompt } });
      if (step.kind === 'edit') return editHunk(state, attention.prompt);
      const back: ChatState = { ...state, attention: { kind: 'approval', prompt: askApproval(attention.call) } };
      return step.kind === 'cancel' ? stay(back) : decideHunks(back, attention.call, step.review);
    }
    case 'question': {
      const step = stepQuestion(attention.prompt, key);
      if (step.kind === 'prompt') return stay({ ...state, attention: { kind: 'question', prompt: step.prompt } });
      return settle(state, callId, { kind: 'answer_question', callId, action: step.kind === 'answer' ? step.action : undefined });
    }
    case 'form': {
      const step = stepForm(attention.prompt, key);
      if (step.kind === 'prompt') return stay({ ...state, attention: { kind: 'form', prompt: step.prompt } });
      return settle(state, callId, { kind: 'answer_form', callId, outcome: step.outcome });
    }
    case 'review': {
      const step = stepReview(attention.prompt, key);
      if (step.kind === 'prompt') return stay({ ...state, attention: { kind: 'review', prompt: step.prompt } });
      if (step.kind === 'edit') return editHunk(state, attention.prompt);
      return settle(state, callId, { kind: 'answer_review', callId, review: step.kind === 'done' ? step.review : undefined });
    }
  }
}

function answerApproval(state: ChatState, attention: Extract<Attention, { kind: 'approval' }>, key: Key): ChatStep {
  const { call, callId } = attention.prompt;
  const step = stepApproval(attention.prompt, key);
  switch (step.kind) {
    case 'prompt':
      return stay({ ...state, attention: { kind: 'approval', prompt: step.prompt } });
    case 'approve': {
      const decision = call.isEdited
        ? ({ kind: 'decide', callId, decision: 'edit', args: call.args } as const)
        : ({ kind: 'decide', callId, decision: 'approve', remember: step.remember } as const);
      return settle(step.frees ? { ...state, freeing: callId } : state, callId, decision);
    }
    case 'reject': {
      const { kind: decision, ...words } = step;
      return settle(state, callId, { kind: 'decide', callId, decision, ...words });
    }
    case 'edit':
      return { state, effects: [{ kind: 'edit_args', callId, toolName: call.toolName, args: call.args }] };
    case 'details':
      return { state, effects: [{ kind: 'show_details', call }] };
    case 'hunks': {
      const prompt = pickHunks(callId, diffOf(call));
      const refused = 'The patch can’t be taken apart: approve, edit or reject it as a whole.';
      return stay({
        ...state,
        attention: prompt ? { kind: 'hunks', call, prompt } : { kind: 'approval', prompt: askApproval(call, refused) },
      });
    }
  }
}

function editHunk(state: ChatState, { callId, parts, current }: ReviewPrompt): ChatStep {
  const part = parts[current]!;
  const endsHunk = parts[current + 1]?.chunk !== part.chunk;
  return { state, effects: [{ kind: 'edit_hunk', callId, endsHunk, original: part.hunk?.lines ?? [], lines: linesOfPart(part) }] };
}

function decideHunks(state: ChatState, call: PendingCall, review: Review): ChatStep {
  const { callId } = call;
  if (review.chunks.length === 0)
    return settle(state, callId, { kind: 'decide', callId, decision: 'reject', feedback: 'The user keeps none of the changes.' });
  const diff = diffOf(call);
  const kept = keepReviewed(diff, review);
  if (kept === diff) return settle(state, callId, { kind: 'decide', callId, decision: 'approve' });
  const args = JSON.stringify({ ...(JSON.parse(call.args) as object), diff: kept });
  return settle(state, callId, { kind: 'decide', callId, decision: 'edit', args });
}

/** What the user's own editor made of a hunk. A review that ended meanwhile stays ended. */
export function takeEditedHunk(state: ChatState, event: Extract<ChatEvent, { kind: 'hunk_edited' }>): ChatStep {
  const { attention } = state;
  if ((attention?.kind !== 'review' && attention?.kind !== 'hunks') || attention.prompt.callId !== event.callId)
    return stay(tell(state, 'The review ended meanwhile: your edit was not used.', 'warning'));
  return stay({ ...state, attention: { ...attention, prompt: takeEditedPart(attention.prompt, event) } });
}

/** What the user's own editor brought back: shown, and approved by a key of its own. A call that was decided meanwhile stays decided. */
export function takeEditedArgs(state: ChatState, event: Extract<ChatEvent, { kind: 'args_edited' }>): ChatStep {
  const { callId, args, fault } = event;
  const asked = state.asked.find((one) => one.kind === 'approval' && one.call.callId === callId);
  if (asked?.kind !== 'approval') return stay(tell(state, 'The call was decided meanwhile: your edit was not used.', 'warning'));
  const { attention } = state;
  const call = attention?.kind === 'approval' && attention.prompt.callId === callId ? attention.prompt.call : asked.call;
  if (args === undefined) return stay({ ...state, attention: { kind: 'approval', prompt: askApproval(call, fault) } });
  const edited: PendingCall = { ...call, args, preview: undefined, refusal: undefined, isEdited: true };
  return {
    state: { ...state, attention: { kind: 'approval', prompt: askApproval(edited) }, armedAtMs: event.atMs + ARMING_MS },
    effects: [{ kind: 'preview_args', callId, toolName: call.toolName, args }],
  };
}

/** Shows what edited arguments would do, as long as they are what waits. */
export function takePreview(state: ChatState, event: Extract<ChatEvent, { kind: 'args_previewed' }>): ChatState {
  const { attention } = state;
  if (attention?.kind !== 'approval' || attention.prompt.callId !== event.callId) return state;
  const { prompt } = attention;
  if (!prompt.call.isEdited || prompt.call.args !== event.args) return state;
  return { ...state, attention: { kind: 'approval', prompt: { ...prompt, call: { ...prompt.call, preview: event.preview } } } };
}

/** Keeps to what is asked for as long as it waits, then turns to the oldest of what else waits. */
export function turnAttention(state: ChatState, atMs: number): ChatState {
  const { attention, asked } = state;
  if (attention && asked.some((one) => callIdOf(one) === attention.prompt.callId)) return state;
  const [first] = asked;
  if (!first) return attention ? { ...state, attention: undefined, focus: 'editor' } : state;
  const isFree = state.editor.text === '' && !state.search;
  const focus = !state.writes || isFree || (attention && state.focus === 'attention') ? 'attention' : 'editor';
  return { ...state, attention: toAttention(first), focus, armedAtMs: atMs + ARMING_MS };
}

function toAttention(asked: Asked): Attention {
  if (asked.kind === 'approval') return { kind: 'approval', prompt: askApproval(asked.call) };
  if (asked.kind === 'question') return { kind: 'question', prompt: { ...asked, selected: 0 } };
  if (asked.kind === 'form') return { kind: 'form', prompt: askForm(asked.callId, asked.request) };
  return { kind: 'review', prompt: askReview(asked.callId, asked.patch, asked.message) };
}

function settle(state: ChatState, callId: string, effect: ChatEffect): ChatStep {
  return { state: { ...state, asked: state.asked.filter((one) => callIdOf(one) !== callId) }, effects: [effect] };
}

/** The call that something was asked for. */
export const callIdOf = (asked: Asked): string => (asked.kind === 'approval' ? asked.call.callId : asked.callId);

function diffOf(call: PendingCall): string {
  const { diff } = JSON.parse(call.args) as { diff?: unknown };
  return typeof diff === 'string' ? diff : '';
}

const stay = (state: ChatState): ChatStep => ({ state, effects: [] });

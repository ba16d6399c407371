import type { Key } from '../input/key.js';
import type { EditorState } from '../input/line-editor.js';
import { EMPTY_EDITOR, editLine } from '../input/line-editor.js';
import type { PendingCall } from './pending-call.js';

/** An approval that is being decided: choosing, or writing why not. `fault` says why the last try came to nothing. */
export interface ApprovalPrompt {
  readonly callId: string;
  readonly call: PendingCall;
  readonly mode: 'choose' | 'reason';
  readonly reason: EditorState;
  readonly fault?: string;
}

export type ApprovalStep =
  | { readonly kind: 'prompt'; readonly prompt: ApprovalPrompt }
  | { readonly kind: 'approve' }
  | { readonly kind: 'reject'; readonly feedback?: string }
  | { readonly kind: 'edit' }
  | { readonly kind: 'hunks' }
  | { readonly kind: 'details' };

/** Begins to ask. */
export function askApproval(call: PendingCall, fault: string | undefined = call.refusal): ApprovalPrompt {
  return { callId: call.callId, call, mode: 'choose', reason: EMPTY_EDITOR, ...(fault === undefined ? {} : { fault }) };
}

/**
 * What a key does to an approval. Only a single typed letter decides: a paste never does, and Enter never approves.
 */
export function stepApproval(prompt: ApprovalPrompt, key: Key): ApprovalStep {
  if (prompt.mode === 'reason') return stepReason(prompt, key);
  const letter = key.kind === 'text' ? key.text.toLowerCase() : '';
  switch (letter) {
    case 'a':
      return { kind: 'approve' };
    case 'r':
      return { kind: 'prompt', prompt: { ...prompt, mode: 'reason', reason: EMPTY_EDITOR } };
    case 'e':
      return { kind: 'edit' };
    case 'd':
      return { kind: 'details' };
    case 'h':
      return canPickHunks(prompt.call) ? { kind: 'hunks' } : { kind: 'prompt', prompt };
    default:
      return { kind: 'prompt', prompt };
  }
}

function stepReason(prompt: ApprovalPrompt, key: Key): ApprovalStep {
  if (key.kind === 'named' && key.name === 'escape') return { kind: 'prompt', prompt: { ...prompt, mode: 'choose' } };
  if (key.kind === 'named' && key.name === 'enter' && prompt.reason.text.trim() === '') return { kind: 'reject' };
  const { state, outcome } = editLine(prompt.reason, key);
  if (outcome.kind === 'submitted') return { kind: 'reject', feedback: outcome.text };
  return { kind: 'prompt', prompt: { ...prompt, reason: state } };
}

/** Whether parts of a call can be approved: it is a patch. */
export const canPickHunks = (call: PendingCall): boolean => call.toolName === 'apply_patch';

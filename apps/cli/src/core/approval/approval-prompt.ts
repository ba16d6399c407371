import type { Key } from '../input/key.js';
import type { EditorState } from '../input/line-editor.js';
import { EMPTY_EDITOR, editLine } from '../input/line-editor.js';
import type { RememberedRule } from '@codelab/client';
import { chooseRule, planOf, type RuleChoice } from '@codelab/tools/human';
import type { PendingCall } from './pending-call.js';
import { stepRule } from './rule-choice.js';

/**
 * An approval that is being decided: choosing, writing why not, or choosing the rule that is to be made of it. `fault` says why the last try
 * came to nothing.
 */
export interface ApprovalPrompt {
  readonly callId: string;
  readonly call: PendingCall;
  readonly mode: 'choose' | 'reason' | 'rule';
  readonly reason: EditorState;
  /** In the mode `rule`. */
  readonly choice?: RuleChoice | undefined;
  readonly fault?: string;
}

export type ApprovalStep =
  | { readonly kind: 'prompt'; readonly prompt: ApprovalPrompt }
  /** `frees`: files are edited unasked from now on. */
  | { readonly kind: 'approve'; readonly remember?: RememberedRule; readonly frees?: true }
  | { readonly kind: 'reject'; readonly feedback?: string; readonly remember?: RememberedRule }
  | { readonly kind: 'edit' }
  | { readonly kind: 'hunks' }
  | { readonly kind: 'details' };

/** Begins to ask. */
export function askApproval(call: PendingCall, fault: string | undefined = call.refusal): ApprovalPrompt {
  return { callId: call.callId, call, mode: 'choose', reason: EMPTY_EDITOR, fault };
}

/**
 * What a key does to an approval. Only a single typed letter decides: a paste never does, and Enter never approves.
 */
export function stepApproval(prompt: ApprovalPrompt, key: Key): ApprovalStep {
  if (prompt.mode === 'reason') return stepReason(prompt, key);
  if (prompt.choice) return stepChoice(prompt, prompt.choice, key);
  const letter = key.kind === 'text' ? key.text.toLowerCase() : '';
  switch (letter) {
    case 'a':
      return { kind: 'approve' };
    case 'f':
      return planOf(prompt.call) === undefined ? { kind: 'prompt', prompt } : { kind: 'approve', frees: true };
    case 'r':
      return { kind: 'prompt', prompt: { ...prompt, mode: 'reason', reason: EMPTY_EDITOR } };
    case 'm':
      return { kind: 'prompt', prompt: beginChoice(prompt, 'approve') };
    case 'n':
      return { kind: 'prompt', prompt: beginChoice(prompt, 'reject') };
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

/** Opens the rules that a decision can make; stays where there is none. */
function beginChoice(prompt: ApprovalPrompt, decision: RuleChoice['decision']): ApprovalPrompt {
  if (prompt.call.isEdited) return { ...prompt, fault: 'A rule is made of a call as the model made it.' };
  const choice = chooseRule(prompt.call, decision);
  return choice ? { ...prompt, mode: 'rule', choice } : prompt;
}

function stepChoice(prompt: ApprovalPrompt, choice: RuleChoice, key: Key): ApprovalStep {
  const step = stepRule(choice, key);
  if (step.kind === 'back') return { kind: 'prompt', prompt: { ...prompt, mode: 'choose', choice: undefined } };
  if (step.kind === 'choice') return { kind: 'prompt', prompt: { ...prompt, choice: step.choice } };
  return { kind: choice.decision, remember: step.remember };
}

function stepReason(prompt: ApprovalPrompt, key: Key): ApprovalStep {
  if (key.kind === 'named' && key.name === 'escape') return { kind: 'prompt', prompt: { ...prompt, mode: 'choose' } };
  if (key.kind === 'named' && key.name === 'enter' && prompt.reason.text.trim() === '') return { kind: 'reject' };
  const { state, outcome } = editLine(prompt.reason, key);
  if (outcome.kind === 'submitted') return { kind: 'reject', feedback: outcome.text };
  return { kind: 'prompt', prompt: { ...prompt, reason: state } };
}

/** Whether parts of a call can be approved: it is a patch. */
export const canPickHunks = (call: PendingCall): boolean => call.toolName === 'apply_patch' && call.isEdited === undefined;

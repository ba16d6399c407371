import type { RememberedRule } from '@codelab/client';
import { isJsonObject, type JsonObject } from '@codelab/tools';
import type { ApprovalQuestion, Decision, UserAnswer, UserQuestion } from '../approvals/decision.js';

/**
 * What a server and a person's console say to each other: one connection per question, one line of JSON each way. The server closes it when the
 * question is settled elsewhere, the console when its person is gone.
 */
export type ConsoleQuestion =
  | ({ readonly kind: 'approval'; /** Why the last answer did not count. */ readonly refusal?: string } & ApprovalQuestion)
  | ({ readonly kind: 'question' } & UserQuestion);

/** What a person decided at a console. `args_sha256` repeats what they were shown (H2). */
export type ConsoleAnswer =
  | { readonly kind: 'approval'; readonly argsSha256: string; readonly decision: 'approve'; readonly remember?: RememberedRule }
  | {
      readonly kind: 'approval';
      readonly argsSha256: string;
      readonly decision: 'reject';
      readonly feedback?: string;
      readonly remember?: RememberedRule;
    }
  | { readonly kind: 'question'; readonly action?: string };

/** Characters of a line: a preview is of some megabytes at most. */
export const MAX_LINE_CHARACTERS = 32 * 1024 * 1024;

/** Reads a line; `undefined` for what is none of ours. */
export function parseLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A question as a console takes it; `undefined` for what is none. */
export function readQuestion(line: string): ConsoleQuestion | undefined {
  const fields = parseLine(line);
  const { kind, callId, client, message, actions, toolName, title, argsText, argsSha256, reason, risk, proposals, operands } = fields ?? {};
  if (!isText(callId) || !isText(client)) return undefined;
  if (kind === 'question') {
    const isAsked = isText(message) && Array.isArray(actions) && actions.length > 0 && actions.every(isText);
    return isAsked ? { kind, callId, client, message, actions } : undefined;
  }
  const isCall = [toolName, title, argsText, argsSha256, reason].every(isText) && Array.isArray(proposals) && Array.isArray(operands);
  const isRated = risk === 'low' || risk === 'medium' || risk === 'high';
  return kind === 'approval' && isCall && isRated ? (fields as unknown as ConsoleQuestion) : undefined; // every field that decides was looked at
}

/** What a console's line decides of an approval; only an approval of what was shown approves (H1, H2). */
export function readConsoleDecision(line: string, { argsSha256 }: ApprovalQuestion): Decision {
  const { kind, decision, argsSha256: shown, feedback, remember } = parseLine(line) ?? {};
  if (kind !== 'approval') return { kind: 'dismissed' };
  const rule = isRemembered(remember) ? { remember } : {};
  if (decision === 'approve' && shown === argsSha256) return { kind: 'approved', ...rule };
  return { kind: 'rejected', feedback: isText(feedback) ? feedback : undefined, ...(decision === 'reject' ? rule : {}) };
}

/** What a console's line answers to a question. */
export function readConsoleAnswer(line: string, { actions }: UserQuestion): UserAnswer {
  const { kind, action } = parseLine(line) ?? {};
  if (kind !== 'question') return { kind: 'dismissed' };
  return isText(action) && actions.includes(action) ? { kind: 'answered', action } : { kind: 'declined' };
}

const isRemembered = (value: unknown): value is RememberedRule =>
  isJsonObject(value) &&
  (value['scope'] === 'session' || value['scope'] === 'project' || value['scope'] === 'user') &&
  isJsonObject(value['rule']);

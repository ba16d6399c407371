import { JsonText, LIMITS, scanObject, type ClientFrameOf, type ToolErrorCode } from '@codelab/protocol';
import { maskSecrets, maskSecretsInJson } from '@codelab/tools';
import type { CallAnswer } from '../journal/journal-record.js';
import type { StopReason, ToolOutcome } from './tool-executor.js';

/** The wire allows 65,536 characters; nobody reads more than this. */
const MAX_ERROR_CHARACTERS = 60_000;

/** What a frame names of secrets that may be shown. */
const MAX_SHOWN_SECRETS = 64;

/** What `tool_result` adds to the result. */
const ENVELOPE_BYTES = 1024;

/** The answer that says what went wrong. */
export const toErrorAnswer = (code: ToolErrorCode, message: string): Extract<CallAnswer, { error: unknown }> => ({
  error: { code, message: message.length > MAX_ERROR_CHARACTERS ? `${message.slice(0, MAX_ERROR_CHARACTERS)} …` : message },
});

/**
 * The answer that an outcome becomes, if a frame can carry it: at most 10 MB and 64 levels. Secrets are masked, but for
 * those whose fingerprints are allowed (L1).
 *
 * @param known secrets that have no shape
 */
export function toCallAnswer(
  toolName: string,
  outcome: ToolOutcome,
  allowed: ReadonlySet<string> = new Set(),
  known: readonly string[] = [],
): CallAnswer {
  if (!outcome.ok) return toErrorAnswer(outcome.error.code, maskSecrets(outcome.error.message, allowed, known).text);
  const raw = stringify(outcome.result ?? null);
  const text = raw && maskSecretsInJson(raw, allowed, known).text;
  if (raw === undefined || text === undefined) return toErrorAnswer('OUTCOME_UNKNOWN', `${toolName} ran, but its result is not JSON.`);
  const bytes = Buffer.byteLength(text) + ENVELOPE_BYTES;
  if (bytes > LIMITS.MAX_FRAME_BYTES) {
    return toErrorAnswer(
      'FILE_TOO_LARGE',
      `${toolName} ran, but its result is ${String(bytes)} bytes long and a frame carries 10 MB. Ask for less.`,
    );
  }
  if (!scanObject(text, { nesting: LIMITS.MAX_NESTING - 1, fields: Infinity }).ok) {
    return toErrorAnswer(
      'OUTCOME_UNKNOWN',
      `${toolName} ran, but its result is nested deeper than ${String(LIMITS.MAX_NESTING - 1)} levels.`,
    );
  }
  const shown = shownSecrets(raw, allowed, known);
  return { result: text, allowedSecrets: shown.length > 0 ? shown : undefined };
}

/** The secrets of a result that are shown because they are allowed. A frame names so many; more are masked by the servers again. */
const shownSecrets = (raw: string, allowed: ReadonlySet<string>, known: readonly string[]): readonly string[] =>
  allowed.size === 0
    ? []
    : maskSecretsInJson(raw, new Set(), known)
        .found.map(({ fingerprint }) => fingerprint)
        .filter((fingerprint) => allowed.has(fingerprint))
        .slice(0, MAX_SHOWN_SECRETS);

const stringify = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // cyclic, a BigInt: no JSON
  }
};

/** The answer of a call that was stopped before it could say how far it came. */
export const toStoppedAnswer = (toolName: string, reason: StopReason, deadlineMs: number): CallAnswer =>
  reason === 'timeout'
    ? toErrorAnswer('TIMEOUT', `${toolName} ran longer than its ${String(deadlineMs)} ms and was stopped.`)
    : toErrorAnswer('CANCELLED', `${toolName} was stopped before its end.`);

/** The frame that carries an answer. */
export const toResultFrame = (callId: string, fence: number, answer: CallAnswer): ClientFrameOf<'tool_result'> => ({
  type: 'tool_result',
  call_id: callId,
  fence,
  ...('error' in answer
    ? { error: answer.error, preview_failed: answer.previewFailed }
    : { result: new JsonText(answer.result), allowed_secrets: answer.allowedSecrets && [...answer.allowedSecrets] }),
});

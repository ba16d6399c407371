import type { Usage } from '../../../canonical/stream-part.js';
import type { AnswerMeta } from '../../dialect.js';
import { AnswerEcho } from './answer-echo.js';

/** How far a response is. */
export interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly output: readonly object[];
  readonly usage?: Usage;
  /** Why it is incomplete. */
  readonly reason?: 'max_output_tokens' | 'content_filter';
  readonly error?: { readonly code: string; readonly message: string };
}

/** The response object as JSON text. What it repeats of the request stands there letter by letter. */
export function encodeResponse(meta: AnswerMeta, { status, output, usage, reason, error }: ResponseState): string {
  const members = meta.echo instanceof AnswerEcho ? meta.echo.members : '';
  const head = { id: meta.id, object: 'response', created_at: meta.created, status, background: false, model: meta.model };
  const tail = {
    error: error ?? null,
    incomplete_details: reason === undefined ? null : { reason },
    previous_response_id: null,
    output,
    usage: encodeUsage(usage),
  };
  return `${JSON.stringify(head).slice(0, -1)},${members}${JSON.stringify(tail).slice(1)}`;
}

/** Usage as a response object has it; null, not zeros, where nobody counted. */
function encodeUsage(usage: Usage | undefined): object | null {
  if (!usage) return null;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cachedInputTokens ?? 0,
      cache_write_tokens: cacheWriteTokens,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

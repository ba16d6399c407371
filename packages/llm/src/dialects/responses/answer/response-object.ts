import type { AnswerMeta } from '../../dialect.js';
import type { Usage } from '../../../canonical/stream-part.js';
import { AnswerEcho } from './answer-echo.js';
import { encodeUsage } from './encode-usage.js';

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

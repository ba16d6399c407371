import { childrenOf } from '../../../json/index.js';
import type { DecodeOptions, AnswerMeta } from '../../dialect.js';
import type { DeclaredTools } from '../request/declared-tools.js';
import type { Usage } from '../../../canonical/stream-part.js';
import { encodeUsage } from './usage.js';

/** What a response object repeats of its request, with the value that it has where the request says nothing. */
const REPEATED: Readonly<Record<string, string>> = {
  instructions: 'null',
  max_output_tokens: 'null',
  metadata: '{}',
  parallel_tool_calls: 'true',
  reasoning: '{"effort":null,"summary":null}',
  store: 'true',
  temperature: 'null',
  text: '{"format":{"type":"text"}}',
  tool_choice: '"auto"',
  tools: '[]',
  top_p: 'null',
  truncation: '"disabled"',
};

/** What the answer needs of its request. */
export class AnswerEcho {
  /** Members of the response object, as JSON text that ends in a comma. */
  readonly members: string;

  constructor(
    /** The request as it came, which must be valid JSON. */
    raw: string,
    readonly declared: DeclaredTools,
    readonly keep?: DecodeOptions['keep'],
  ) {
    const sent: Record<string, string> = {};
    for (const { key, start, end } of childrenOf(raw)) if (Object.hasOwn(REPEATED, key)) sent[key] = raw.slice(start, end);
    this.members = Object.entries(REPEATED)
      .map(([key, otherwise]) => `"${key}":${sent[key] === undefined || sent[key] === 'null' ? otherwise : sent[key]},`)
      .join('');
  }
}

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

import { childrenOf } from '../../../json/index.js';
import type { DecodeOptions } from '../../dialect.js';
import type { DeclaredTools } from '../request/declared-tools.js';

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

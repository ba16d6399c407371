import { ApiError, editMembers } from '@codelab/llm';
import { readObject } from '../serve/asked-model.js';
import type { Exchange } from '../serve/route.js';

/** As with OpenAI. */
const MAX_INPUTS = 2_048;

/** Characters to a token, where nobody counts. */
const CHARACTERS_PER_TOKEN = 4;

/** One text, or its tokens. */
export type EmbeddingInput = string | readonly number[];

/** A request for embeddings, judged. */
export interface EmbeddingsRequest {
  /** As the caller names it. */
  readonly model: string;
  readonly inputs: readonly EmbeddingInput[];
  readonly encoding: 'float' | 'base64';
  readonly dimensions?: number;
  readonly sessionId?: string;
  /** About as many tokens as it has. */
  readonly tokens: number;
  /** The caller's own bytes under another name of the model, without what only we know. */
  readonly onward: (model: string) => string;
}

/** The request of `POST /v1/embeddings`. Throws `ApiError`. */
export function readEmbeddings(exchange: Exchange): EmbeddingsRequest {
  const body = readObject(exchange);
  const { model, input, encoding_format: encoding, dimensions, session_id: sessionId } = body;
  if (typeof model !== 'string' || model.trim() === '') throw invalid('model', 'must be the name of a model, such as offline');
  if (encoding !== undefined && encoding !== null && encoding !== 'float' && encoding !== 'base64')
    throw invalid('encoding_format', 'must be float or base64');
  if (dimensions !== undefined && dimensions !== null && !(Number.isInteger(dimensions) && Number(dimensions) > 0))
    throw invalid('dimensions', 'must be a whole number above 0');
  const inputs = readInputs(input);
  return {
    ...{ model, inputs, encoding: encoding ?? 'float' },
    ...(typeof dimensions === 'number' && { dimensions }),
    ...(typeof sessionId === 'string' && sessionId !== '' && { sessionId }),
    tokens: inputs.reduce((sum, one) => sum + (typeof one === 'string' ? Math.ceil(one.length / CHARACTERS_PER_TOKEN) : one.length), 0),
    onward: (name) => editMembers(exchange.bodyText(), { model: JSON.stringify(name), session_id: undefined }),
  };
}

function readInputs(input: unknown): readonly EmbeddingInput[] {
  const inputs: readonly unknown[] = Array.isArray(input) && !isTokens(input) ? input : [input];
  if (inputs.length === 0) throw invalid('input', 'is empty: it must have at least one text');
  if (inputs.length > MAX_INPUTS) throw invalid('input', `has more than ${String(MAX_INPUTS)} texts: send them in several requests`);
  return inputs.map((one, place) => {
    if ((typeof one === 'string' && one !== '') || isTokens(one)) return one;
    throw invalid(Array.isArray(input) ? `input[${String(place)}]` : 'input', 'must be a text that is not empty, or a list of tokens');
  });
}

const isTokens = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((token) => Number.isSafeInteger(token) && Number(token) >= 0);

const invalid = (param: string, what: string): ApiError => new ApiError('invalid_request', `${param}: ${what}`, { param });

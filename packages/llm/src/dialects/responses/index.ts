import type { ModelTool } from '../../canonical/message.js';
import type { ApiError } from '../../errors/api-error.js';
import { encodeModel, encodeModels } from '../chat/answer/encode-models.js';
import type { Dialect } from '../dialect.js';
import { encodeError, encodeStreamError, keepalive } from './errors/encode-error.js';
import { mendArguments } from './relay/mend-arguments.js';
import { prepareRelay } from './relay/prepare-relay.js';
import { relayAnswer } from './relay/relay-answer.js';
import { watchStream } from './relay/watch-stream.js';
import { checkRequest } from './request/check-request.js';
import { decodeRequest } from './request/decode-request.js';
import { StreamEncoder, encodeAnswer } from './stream/stream-encoder.js';

/** OpenAI's Responses. Upstreams are asked in it by relay only; it has no event that every client passes over, so none tells progress. */
export const responses = {
  path: '/v1/responses',
  answerId: 'resp_',
  onward: { headers: ['openai-beta', 'idempotency-key'], query: [] },
  limits: ['max_output_tokens'],
  bytesPerCharacter: 50,
  ...{ checkRequest, mendArguments, decodeRequest },
  readTool: ({ name, parameters }: Readonly<Record<string, unknown>>) => ({ name, parameters }),
  // strict is the default there, and would change what a schema means
  writeTool: ({ name, description, parameters }: Pick<ModelTool, 'name' | 'description' | 'parameters'>) => ({
    ...{ type: 'function', name, description, parameters, strict: false },
  }),
  ...{ StreamEncoder, encodeAnswer, encodeError, keepalive, encodeModel, encodeModels },
  encodeStreamError: (error: ApiError) => encodeStreamError(error),
  ...{ prepareRelay, watchStream, relayAnswer },
} satisfies Dialect;

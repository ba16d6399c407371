import type { ModelTool } from '../../canonical/message.js';
import type { AnswerMeta, Dialect } from '../dialect.js';
import { decodeAnswer } from './answer/decode-answer.js';
import { encodeAnswer } from './answer/encode-answer.js';
import { encodeModel, encodeModels } from './answer/encode-models.js';
import { decodeError } from './errors/decode-error.js';
import { encodeError, encodeStreamError, keepalive } from './errors/encode-error.js';
import { mendArguments } from './relay/mend-arguments.js';
import { prepareRelay } from './relay/prepare-relay.js';
import { relayAnswer } from './relay/relay-answer.js';
import { watchStream } from './relay/watch-stream.js';
import { checkRequest } from './request/check-request.js';
import { decodeRequest } from './request/decode-request.js';
import { encodeRequest } from './request/encode-request.js';
import { decodeStream } from './stream/decode-stream.js';
import { StreamEncoder } from './stream/stream-encoder.js';

/** Anthropic's Messages, and whoever speaks it. */
export const messages = {
  path: '/v1/messages',
  callerHeader: 'anthropic-version',
  answerId: 'msg_',
  onward: { headers: ['anthropic-version', 'anthropic-beta'], query: ['beta'] },
  limits: ['max_tokens'],
  bytesPerCharacter: 30,
  ...{ checkRequest, mendArguments, decodeRequest },
  readTool: ({ name, input_schema }: Readonly<Record<string, unknown>>) => ({ name, parameters: input_schema }),
  writeTool: ({ name, description, parameters }: Pick<ModelTool, 'name' | 'description' | 'parameters'>) => ({
    ...{ name, description, input_schema: parameters },
  }),
  ...{ StreamEncoder, encodeAnswer, encodeError, encodeStreamError, keepalive, encodeModel, encodeModels },
  encodeProgress: (_meta: AnswerMeta, progress: object) => `event: ping\ndata: ${JSON.stringify({ type: 'ping', codelab: progress })}\n\n`,
  countTokens: {
    path: '/v1/messages/count_tokens',
    encode: (inputTokens: number) => ({ input_tokens: inputTokens }),
    isCount: ({ input_tokens }: Readonly<Record<string, unknown>>) => typeof input_tokens === 'number',
  },
  ...{ prepareRelay, watchStream, relayAnswer },
  upstream: { encodeRequest, decodeStream, decodeAnswer, decodeError },
} satisfies Dialect;

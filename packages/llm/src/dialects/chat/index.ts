import type { ModelTool } from '../../canonical/message.js';
import { asObject, type Fields } from '../../json/read-json.js';
import type { Dialect } from '../dialect.js';
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
import { decodeStream, decodeAnswer } from './stream/decode-stream.js';
import { encodeProgress, StreamEncoder } from './stream/stream-encoder.js';

/** OpenAI's Chat Completions, and whoever speaks it. */
export const chat = {
  path: '/v1/chat/completions',
  answerId: 'chatcmpl-',
  onward: { headers: ['openai-beta', 'idempotency-key'], query: [] },
  limits: ['max_completion_tokens', 'max_tokens'],
  bytesPerCharacter: 50,
  ...{ checkRequest, mendArguments, decodeRequest },
  readTool: (tool: Fields) => {
    const { name, parameters } = asObject(tool.function);
    return { name, parameters };
  },
  writeTool: ({ name, description, parameters }: Pick<ModelTool, 'name' | 'description' | 'parameters'>) => ({
    ...{ type: 'function', function: { name, description, parameters } },
  }),
  ...{ StreamEncoder, encodeAnswer, encodeProgress, encodeError, encodeStreamError, keepalive, encodeModel, encodeModels },
  ...{ prepareRelay, watchStream, relayAnswer },
  upstream: { encodeRequest, decodeStream, decodeAnswer, decodeError },
} satisfies Dialect;

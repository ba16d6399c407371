import type { CreateMessageRequestParams, CreateMessageResult, McpHooks } from '@codelab/mcp';
import type { FormFiller } from './answer-elicitation.js';

/** What one request may have in its answer, and what one server may spend in a conversation, in tokens. */
const MAX_ANSWER_TOKENS = 4_096;
const BUDGET_TOKENS = 100_000;

/** A model may think for so long. */
const TIMEOUT_MS = 120_000;

export interface SamplingParts {
  /** `http://host:port` of an llm-proxy, and the token for it. Rejects with a sentence where none is known. */
  readonly proxy: () => Promise<{ readonly url: string; readonly token: string }>;
  /** The model of the conversation, else the usual one. */
  readonly model: () => string | undefined;
  readonly human: FormFiller;
  /** Whether the person's own file lets this server ask. */
  readonly isAllowed: (server: string) => boolean;
}

/** Lets servers that their owner named so ask the model: each time only after the human has read what they ask, and for so many tokens in all. */
export function sampleThroughProxy({ proxy, model, human, isAllowed }: SamplingParts): NonNullable<McpHooks['sample']> {
  const spent = new Map<string, number>();
  return async (params, { server, signal }) => {
    if (!isAllowed(server)) throw new Error(`The user's mcp.json does not let ${server} ask a model.`);
    const before = spent.get(server) ?? 0;
    if (before >= BUDGET_TOKENS) throw new Error(`${server} has used its ${BUDGET_TOKENS} tokens of this conversation.`);
    const message = `At most ${tokensOf(params)} tokens of answer; ${before} of ${BUDGET_TOKENS} are used.`;
    const outcome = await human.fillIn({ kind: 'sampling', server, message, prompt: describe(params) }, signal);
    if (outcome.action !== 'accept') throw new Error('The user did not allow it.');
    const { url, token } = await proxy();
    const answered = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(toRequest(params, model())),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const body = (await answered.json().catch(() => ({}))) as AnthropicAnswer;
    if (!answered.ok) throw new Error(`The model did not answer: ${body.error?.message ?? `HTTP ${answered.status}`}`);
    spent.set(server, before + (body.usage?.input_tokens ?? 0) + (body.usage?.output_tokens ?? 0));
    return toResult(body);
  };
}

interface AnthropicAnswer {
  readonly model?: string;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly stop_reason?: string;
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number };
  readonly error?: { readonly message?: string };
}

const tokensOf = ({ maxTokens }: CreateMessageRequestParams): number => Math.min(maxTokens, MAX_ANSWER_TOKENS);

type Blocks = readonly { readonly type: string; readonly text?: string; readonly data?: string; readonly mimeType?: string }[];

const blocksOf = (content: unknown): Blocks => (Array.isArray(content) ? content : [content]) as Blocks;

/** All that is asked, as the human reads it. */
const describe = ({ systemPrompt, messages }: CreateMessageRequestParams): string =>
  [
    ...(systemPrompt === undefined ? [] : [`(system) ${systemPrompt}`]),
    ...messages.map(({ role, content }) => `(${role}) ${blocksOf(content).map(sayBlock).join(' ')}`),
  ].join('\n');

const sayBlock = ({ type, text, mimeType }: Blocks[number]): string => (type === 'text' ? (text ?? '') : `[${type} ${mimeType ?? ''}]`);

function toRequest(params: CreateMessageRequestParams, model: string | undefined): object {
  const { systemPrompt, messages, temperature, stopSequences } = params;
  return {
    ...{ model, max_tokens: tokensOf(params), system: systemPrompt, temperature, stop_sequences: stopSequences },
    messages: messages.map(({ role, content }) => ({ role, content: blocksOf(content).map(toBlock) })),
  };
}

function toBlock({ type, text, data, mimeType }: Blocks[number]): object {
  if (type === 'text') return { type, text };
  if (type === 'image') return { type, source: { type: 'base64', media_type: mimeType, data } };
  throw new Error(`A model can't be asked with ${type}.`);
}

function toResult({ model = '', content = [], stop_reason: reason }: AnthropicAnswer): CreateMessageResult {
  const text = content.map(({ text: part = '' }) => part).join('');
  const stopReason = reason === 'max_tokens' ? 'maxTokens' : reason === 'stop_sequence' ? 'stopSequence' : 'endTurn';
  return { role: 'assistant', model, stopReason, content: { type: 'text', text } };
}

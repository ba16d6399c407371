import { LlmError } from '@codelab/llm';
import type { Target } from '../models/model-catalog.js';
import { readWhole } from '../upstreams/read-whole.js';
import { AskedModel, type AskedPorts } from './asked-model.js';
import { headersForUpstream } from './forward-headers.js';
import { printable } from './printable.js';
import type { Exchange } from './route.js';

/** A number and a few words. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * `POST /v1/messages/count_tokens`: exact where the upstream counts, else an estimate. Never 404 for a model that is served: an upstream
 * without the endpoint, or one that fails, is no reason to leave the caller without a number.
 */
export async function countTokens(exchange: Exchange, ports: AskedPorts): Promise<void> {
  exchange.facts.dialect = 'messages';
  const asked = AskedModel.read(exchange, 'messages', ports);
  const [target] = asked.targets;
  Object.assign(exchange.facts, { upstream: target.upstream.name, model: target.model });
  const counted = asked.relays(target) ? await ask(asked, target, exchange) : undefined;
  const headers = { 'x-codelab-model': printable(target.model), 'x-codelab-upstream': printable(target.upstream.name) };
  if (counted !== undefined) return exchange.reply(200, counted, headers);
  exchange.reply(200, { input_tokens: asked.estimate().inputTokens }, { ...headers, 'x-codelab-estimated': 'true' });
}

/** The upstream's own answer; `undefined` where it has none. */
async function ask(asked: AskedModel, { upstream, model, entry }: Target, exchange: Exchange): Promise<string | undefined> {
  const quirks = { ...upstream.quirks, ...entry.quirks };
  const { text } = asked.codec.prepareRelay(asked.raw, asked.body, { model, quirks, stream: false });
  const beta = exchange.url.searchParams.get('beta');
  try {
    const answer = await upstream.relay({
      dialect: 'messages',
      endpoint: 'count_tokens',
      body: text,
      stream: false,
      headers: headersForUpstream('messages', exchange.headers, exchange.trace),
      signal: exchange.leaving,
      ...(beta !== null && { query: `beta=${encodeURIComponent(beta)}` }),
    });
    const body = (await readWhole(answer, MAX_ANSWER_BYTES)).toString('utf8');
    return typeof (JSON.parse(body) as { input_tokens?: unknown } | null)?.input_tokens === 'number' ? body : undefined;
  } catch (error) {
    if (error instanceof LlmError && (error.code === 'invalid_request' || error.code === 'cancelled')) throw error;
    return undefined; // estimated then
  }
}

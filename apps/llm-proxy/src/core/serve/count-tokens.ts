import { asObject, LlmError, parseJson, type CountTokens, type DialectName } from '@codelab/llm';
import type { Target } from '../models/model-catalog.js';
import { readWhole } from '../upstreams/read-whole.js';
import { AskedModel, type AskedPorts } from './asked-model.js';
import { onwardOf } from './onward-headers.js';
import { printable } from './printable.js';
import type { Exchange } from './route.js';

/** A number and a few words. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Counts the tokens of a request: exactly where the upstream counts, else as an estimate. Never 404 for a model that is served: an upstream
 * without the endpoint, or one that fails, is no reason to leave the caller without a number.
 */
export async function countTokens(exchange: Exchange, dialect: DialectName, counting: CountTokens, ports: AskedPorts): Promise<void> {
  exchange.facts.dialect = dialect;
  const asked = AskedModel.read(exchange, dialect, ports);
  const [target] = asked.targets;
  Object.assign(exchange.facts, { upstream: target.upstream.name, model: target.model });
  const counted = asked.relays(target) ? await ask(asked, target, { exchange, counting }) : undefined;
  const headers = { 'x-codelab-model': printable(target.model), 'x-codelab-upstream': printable(target.upstream.name) };
  if (counted !== undefined) return exchange.reply(200, counted, headers);
  exchange.reply(200, counting.encode(asked.estimate().inputTokens), { ...headers, 'x-codelab-estimated': 'true' });
}

/** The upstream's own answer; `undefined` where it has none. */
async function ask(
  { codec, dialect, raw, body }: AskedModel,
  { upstream, model, entry }: Target,
  { exchange, counting }: { readonly exchange: Exchange; readonly counting: CountTokens },
): Promise<string | undefined> {
  const quirks = { ...upstream.quirks, ...entry.quirks };
  const { text } = codec.prepareRelay(raw, body, { model, quirks, stream: false });
  const call = { dialect, endpoint: 'count_tokens', body: text, stream: false, signal: exchange.leaving } as const;
  try {
    const answer = await upstream.relay({ ...call, ...onwardOf(codec, exchange) });
    const counted = (await readWhole(answer, MAX_ANSWER_BYTES)).toString('utf8');
    return counting.isCount(asObject(parseJson(counted))) ? counted : undefined;
  } catch (error) {
    if (error instanceof LlmError && (error.code === 'invalid_request' || error.code === 'cancelled')) throw error;
    return undefined; // estimated then
  }
}

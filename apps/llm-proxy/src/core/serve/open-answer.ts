import { closeOrphans, LlmError, type StreamPart, type ToolNames, type Usage } from '@codelab/llm';
import type { Target } from '../models/model-catalog.js';
import { isJson, readWhole } from '../upstreams/read-whole.js';
import type { AskedModel } from './asked-model.js';
import { headersForCaller, headersForUpstream } from './forward-headers.js';
import { RelayStream } from './relay-stream.js';
import type { Exchange } from './route.js';

/** An answer that has begun. */
export type OpenAnswer =
  | { readonly kind: 'relay'; readonly relay: RelayStream; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly kind: 'whole';
      readonly content: string | Uint8Array;
      readonly usage: Usage | undefined;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'parts'; readonly parts: AsyncIterable<StreamPart> };

/** Asks one upstream. Resolves when the first part that means something is there; rejects with `LlmError`, or `ApiError` for the request. */
export function openAnswer(asked: AskedModel, target: Target, exchange: Exchange): Promise<OpenAnswer> {
  return asked.relays(target) ? relay(asked, target, exchange) : translate(asked, target, exchange);
}

async function relay(asked: AskedModel, { upstream, model, entry }: Target, exchange: Exchange): Promise<OpenAnswer> {
  const { codec, dialect, stream } = asked;
  const quirks = entry.quirks ? { ...upstream.quirks, ...entry.quirks } : upstream.quirks;
  const { text, names, onlyFirstCall, unenforced } = codec.prepareRelay(asked.raw, asked.body, { model, quirks, stream });
  if (unenforced) exchange.facts.notes = unenforced.map((field) => `the upstream cannot be told ${field}`);
  const query = dialect === 'messages' ? betaQuery(exchange) : undefined;
  const answer = await upstream.relay({
    dialect,
    body: text,
    stream,
    headers: headersForUpstream(dialect, exchange.headers, exchange.trace),
    signal: exchange.leaving,
    ...(query !== undefined && { query }),
  });
  const headers = headersForCaller(answer.headers);
  if (stream && !isJson(answer)) {
    const swallowUsage = dialect === 'chat' && !asksForUsage(asked.body);
    const relayed = new RelayStream(
      answer,
      codec.watchStream({ swallowUsage, ...(names && { names }), ...(onlyFirstCall && { onlyFirstCall }) }),
    );
    await relayed.begun();
    return { kind: 'relay', relay: relayed, headers };
  }
  const bytes = await readWhole(answer);
  const whole = bytes.toString('utf8');
  if (stream) return { kind: 'parts', parts: asParts(decodeWhole(asked, whole, names)) };
  const { text: content, usage } = codec.relayAnswer(whole, names, { ...(onlyFirstCall && { onlyFirstCall }) });
  return { kind: 'whole', content: content === whole ? bytes : content, usage, headers };
}

async function translate(asked: AskedModel, { upstream, model, entry }: Target, exchange: Exchange): Promise<OpenAnswer> {
  const { request, notes = [] } = asked.decode();
  const { leaving: signal, trace, facts } = exchange;
  if (notes.length > 0) facts.notes = notes;
  const onNotes = (more: readonly string[]) => void (facts.notes = [...notes, ...more]);
  const ask = { signal, traceparent: trace.traceparent, entry, onNotes, inOnePiece: !asked.stream };
  const parts = upstream.stream({ ...closeOrphans(request), model }, ask)[Symbol.asyncIterator]();
  return { kind: 'parts', parts: resumed(await parts.next(), parts) };
}

/** An iteration whose first step was taken already. */
function resumed<T>(first: IteratorResult<T, unknown>, rest: AsyncIterator<T, unknown>): AsyncIterable<T> {
  let pending: IteratorResult<T, unknown> | undefined = first;
  const iterator: AsyncIterator<T, unknown> = {
    next: () => {
      if (!pending) return rest.next();
      const taken = Promise.resolve(pending);
      pending = undefined;
      return taken;
    },
    return: async (value) => (await rest.return?.(value)) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function* asParts(parts: Iterable<StreamPart>): AsyncGenerator<StreamPart> {
  yield* parts;
}

/** Some servers answer in one piece though a stream was asked for. */
function decodeWhole({ codec }: AskedModel, text: string, names: ToolNames | undefined): Iterable<StreamPart> {
  if (codec.decodeAnswer) return [...codec.decodeAnswer(text, names)];
  throw new LlmError('unavailable', 'The model provider sent no stream though one was asked for.');
}

const asksForUsage = ({ stream_options: options }: Readonly<Record<string, unknown>>): boolean =>
  typeof options === 'object' && options !== null && (options as { include_usage?: unknown }).include_usage === true;

/** The one parameter that callers send and Anthropic reads. */
function betaQuery(exchange: Exchange): string | undefined {
  const beta = exchange.url.searchParams.get('beta');
  return beta === null ? undefined : `beta=${encodeURIComponent(beta)}`;
}

import { closeOrphans, LlmError, type StreamPart, type ToolNames, type Usage } from '@codelab/llm';
import type { Target } from '../models/model-catalog.js';
import { isJson, readWhole } from '../upstreams/read-whole.js';
import type { AskedModel } from './asked-model.js';
import { headersForCaller, onwardOf } from './onward-headers.js';
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
  const prepared = codec.prepareRelay(asked.raw, asked.body, { model, quirks, stream });
  const { text, names, unenforced } = prepared;
  if (unenforced) exchange.facts.notes = unenforced.map((field) => `the upstream cannot be told ${field}`);
  const answer = await upstream.relay({ dialect, body: text, stream, signal: exchange.leaving, ...onwardOf(codec, exchange) });
  const headers = headersForCaller(answer.headers);
  if (stream && !isJson(answer)) {
    const relayed = new RelayStream(answer, codec.watchStream(prepared));
    await relayed.begun();
    return { kind: 'relay', relay: relayed, headers };
  }
  const bytes = await readWhole(answer);
  const whole = bytes.toString('utf8');
  if (stream) return { kind: 'parts', parts: asParts(decodeWhole(asked, whole, names)) };
  const { text: content, usage } = codec.relayAnswer(whole, names, prepared);
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
  if (codec.upstream) return [...codec.upstream.decodeAnswer(text, names)];
  throw new LlmError('unavailable', 'The model provider sent no stream though one was asked for.');
}

import { toPieces, type Reply } from './scripted-provider-reply.js';

const REASONS: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

function reasonOf({ finishReason, toolCalls = [] }: Reply): string | null {
  if (finishReason === undefined) return toolCalls.length > 0 ? 'tool_use' : 'end_turn';
  return finishReason === null ? null : (REASONS[finishReason] ?? finishReason);
}

/** What one content block looks like whole, at its start, and as deltas. */
interface Block {
  readonly whole: object;
  readonly start: object;
  readonly deltas: readonly object[];
}

function* toBlocks(reply: Reply): Iterable<Block> {
  const { text = '', thinking, thinkingSignature: signature = '', pieceCharacters = 8, toolCalls = [] } = reply;
  if (thinking !== undefined) {
    const type = 'thinking';
    const deltas = toPieces(thinking, pieceCharacters).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
    yield {
      whole: { type, thinking, signature },
      start: { type, thinking: '', signature: '' },
      deltas: [...deltas, ...(signature === '' ? [] : [{ type: 'signature_delta', signature }])],
    };
  }
  if (text !== '') {
    const deltas = toPieces(text, pieceCharacters).map((piece) => ({ type: 'text_delta', text: piece }));
    yield { whole: { type: 'text', text, citations: null }, start: { type: 'text', text: '', citations: null }, deltas };
  }
  for (const { id, name, arguments: args } of toolCalls) {
    const deltas = toPieces(args, reply.pieceCharacters).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    yield {
      whole: { type: 'tool_use', id, name, input: INPUT },
      start: { type: 'tool_use', id, name, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: '' }, ...deltas],
    };
  }
}

function toUsage({ usage }: Reply): { readonly input_tokens: number; readonly output_tokens: number } {
  const details = usage?.prompt_tokens_details as { readonly cached_tokens?: number } | undefined;
  const cached = details?.cached_tokens ?? 0;
  return {
    input_tokens: (usage?.prompt_tokens ?? 0) - cached,
    ...{ cache_creation_input_tokens: 0, cache_read_input_tokens: cached },
    output_tokens: usage?.completion_tokens ?? 0,
  };
}

const toMessage = ({ id = 'msg_1' }: Reply, more: object) => ({ id, type: 'message', role: 'assistant', model: 'scripted', ...more });

/** A reply as the events of a Messages stream. */
export function toMessageEvents(reply: Reply): object[] {
  const usage = toUsage(reply);
  const reason = reasonOf(reply);
  const message = toMessage(reply, { content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } });
  const blocks = [...toBlocks(reply)].flatMap(({ start, deltas }, index) => [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  const end = [{ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage }, { type: 'message_stop' }];
  return [{ type: 'message_start', message }, { type: 'ping' }, ...blocks, ...(reason === null ? [] : end)];
}

/** Holds the place of arguments, which go out as they are. */
const INPUT = '@@input@@';

/** A reply as a Messages answer in one piece: JSON text. */
export function toMessageAnswer(reply: Reply): string {
  const content = [...toBlocks(reply)].map(({ whole }) => whole);
  const text = JSON.stringify(toMessage(reply, { content, stop_reason: reasonOf(reply), stop_sequence: null, usage: toUsage(reply) }));
  const inputs = (reply.toolCalls ?? []).map((call) => call.arguments || '{}').values();
  return text.replaceAll(JSON.stringify(INPUT), () => inputs.next().value ?? '{}');
}

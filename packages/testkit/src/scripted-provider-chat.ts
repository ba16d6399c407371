import { toPieces, type Reply } from './scripted-provider-reply.js';

const reasonOf = ({ finishReason, toolCalls = [] }: Reply): string | null =>
  finishReason === undefined ? (toolCalls.length > 0 ? 'tool_calls' : 'stop') : finishReason;

/** A reply as the chunks of a Chat Completions stream. */
export function toChatChunks(reply: Reply): (object | string)[] {
  const { text = '', thinking = '', pieceCharacters = 8, toolCalls = [], usage } = reply;
  const deltas: object[] = [
    { role: 'assistant', content: '' },
    ...toPieces(thinking, pieceCharacters).map((reasoning_content) => ({ reasoning_content })),
    ...toPieces(text, pieceCharacters).map((content) => ({ content })),
    ...toolCalls.flatMap((call, index) => [
      { tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] },
      ...toPieces(call.arguments, reply.pieceCharacters).map((piece) => ({
        tool_calls: [{ index, function: { arguments: piece } }],
      })),
    ]),
  ];
  const finish = reasonOf(reply);
  const chunk = (choices: object[], more: object = {}) => ({
    id: reply.id ?? 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices,
    ...more,
  });
  return [
    ...deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }])),
    ...(finish === null ? [] : [chunk([{ index: 0, delta: {}, finish_reason: finish }])]),
    ...(usage ? [chunk([], { usage })] : []),
    ...(finish === null ? [] : ['data: [DONE]\n\n']),
  ];
}

/** A reply as a Chat Completions answer in one piece. */
export function toChatAnswer(reply: Reply): object {
  const { text, thinking, toolCalls = [], usage } = reply;
  const message = {
    role: 'assistant',
    content: text ?? (toolCalls.length > 0 ? null : ''),
    reasoning_content: thinking,
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({ id, type: 'function', function: { name, arguments: args } })),
    }),
  };
  return {
    id: reply.id ?? 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: reasonOf(reply) }],
    ...(usage && { usage }),
  };
}

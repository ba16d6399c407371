import type { RecordedRequest, Reply, Script } from '@codelab/testkit';

/** What the model says in the end: every program must have read exactly this. */
export const FINAL = 'The sums are 5 and 15, and it is sunny in 서울 🙂.';

/** What it says before its first calls. */
export const PREAMBLE = 'Let me look. ';

/** What it thinks before them, and what the provider knows the thought by. */
export const THOUGHT = { text: 'Two tools at once.', signature: 'c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg==' };

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, prompt_tokens_details: { cached_tokens: 40 } };

/** The calls of each round: how many results there are says which one it is. */
const ROUNDS: readonly Reply[] = [
  {
    text: PREAMBLE,
    toolCalls: [
      { id: 'call_add_1', name: 'add', arguments: '{"a": 2, "b": 3}' },
      { id: 'call_weather', name: 'weather', arguments: '{"city": "서울"}' },
    ],
  },
  { toolCalls: [{ id: 'call_add_2', name: 'add', arguments: '{"a": 5, "b": 10}' }] },
  { text: FINAL },
];

/** The same with tools that Continue's CLI has of its own, and files that the test puts there. */
const CONTINUE_ROUNDS: readonly Reply[] = [
  {
    text: PREAMBLE,
    toolCalls: [
      { id: 'call_read_1', name: 'Read', arguments: '{"filepath": "first.txt"}' },
      { id: 'call_list', name: 'List', arguments: '{"dirpath": "."}' },
    ],
  },
  { toolCalls: [{ id: 'call_read_2', name: 'Read', arguments: '{"filepath": "second.txt"}' }] },
  { text: FINAL },
];

/** The same with tools as Codex has them: a function, and one of an MCP server. */
const CODEX_ROUNDS: readonly Reply[] = [
  {
    text: PREAMBLE,
    toolCalls: [
      { id: 'call_mcp', name: 'mcp__files__add', arguments: '{"a": 2}' },
      { id: 'call_exec', name: 'exec_command', arguments: '{"cmd": "ls"}' },
    ],
  },
  { text: FINAL },
];

/** The numbers of results after which a round begins. */
const RESULTS = [0, 2, 3];

/** One result that a model was given. */
export interface SeenResult {
  readonly id: string;
  readonly text: string;
}

/** The results in a request, in their order, whichever of the two dialects it is in. */
export function resultsOf({ body }: RecordedRequest): SeenResult[] {
  return body.messages.flatMap((message) => {
    if (message.role === 'tool') return [{ id: String(message.tool_call_id), text: textOf(message.content) }];
    const blocks = Array.isArray(message.content) ? (message.content as Readonly<Record<string, unknown>>[]) : [];
    return blocks.flatMap((block) =>
      block.type === 'tool_result' ? [{ id: String(block.tool_use_id), text: textOf(block.content) }] : [],
    );
  });
}

/** One call that a model was reminded of. */
export interface SeenCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** The calls in a request, in their order. */
export function callsOf({ body }: RecordedRequest): SeenCall[] {
  return body.messages.flatMap((message) => {
    const calls = (message.tool_calls ?? []) as {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
    const blocks = Array.isArray(message.content) ? (message.content as Readonly<Record<string, unknown>>[]) : [];
    return [
      ...calls.map(({ id, function: called }) => ({ id, name: called.name, arguments: JSON.parse(called.arguments) as unknown })),
      ...blocks.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: String(block.id), name: String(block.name), arguments: block.input }] : [],
      ),
    ];
  });
}

/** The thoughts in a request, with what their provider knows them by. */
export function thoughtsOf({ body }: RecordedRequest): unknown[] {
  return body.messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as { readonly type?: string }[]).filter(({ type }) => type === 'thinking') : [],
  );
}

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? (content as { readonly text?: string }[]).map(({ text = '' }) => text).join('')
    : typeof content === 'string'
      ? content
      : JSON.stringify(content);

const refusal = (message: string) => ({ error: { message, type: 'invalid_request_error', param: null, code: null }, type: 'error' });

/** How Anthropic says that a model has no threads: its SDK then sends whole histories. */
const NO_THREADS = {
  type: 'error',
  error: { type: 'invalid_request_error', message: 'no threads here', details: { error_code: 'thread_unsupported_request' } },
};

/** Plays the model: the name of the model says what is wanted, its results how far the conversation is. */
export const playRounds: Script = (request): Reply => {
  const { model, thread } = request.body;
  if (thread !== undefined) return { status: 400, body: NO_THREADS };
  if (model.includes('refused')) return { status: 400, body: refusal('temperature does not go with this model') };
  if (model === 'oflline') return { status: 404, body: refusal('there is no model oflline') };
  if (model.includes('penniless')) return { status: 402, body: refusal('the account is empty') };
  if (model.includes('breaks')) return { text: 'Half of an answer that breaks off', cutAfterChunks: 4 };
  const rounds = model.includes('continue') ? CONTINUE_ROUNDS : model.includes('codex') ? CODEX_ROUNDS : ROUNDS;
  const round = rounds[RESULTS.indexOf(resultsOf(request).length)];
  if (!round) return { status: 400, body: refusal(`a conversation with ${resultsOf(request).length} results was not expected`) };
  const thinks = /thinking|codex/.test(model) && rounds.indexOf(round) === 0;
  return {
    id: `answer_${request.n}`,
    usage: USAGE,
    pieceCharacters: 5,
    ...round,
    ...(thinks && { thinking: THOUGHT.text, thinkingSignature: THOUGHT.signature }),
  };
};

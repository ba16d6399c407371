import type { StreamLength } from './canned-answers.js';

export type Dialect = 'chat' | 'messages';

/** One kind of request: what the caller speaks, what the upstream speaks, and how the answer comes. */
export interface Case {
  readonly caller: Dialect;
  readonly upstream: Dialect;
  /** Left out: a JSON answer. */
  readonly stream?: StreamLength;
}

const SYSTEM =
  'You are a coding agent. Read before you write, keep changes small, run the tests, and say what you did in two sentences. '.repeat(6);
const TASK = 'The test of the parser fails on Windows since the last release. Find out why, and repair it without changing the test.';
const RESULT = 'export function parse(text) {\n  return text.split("\\n").map((line) => line.trim());\n}\n'.repeat(8);

const TOOLS = ['read_file', 'write_file', 'list_files', 'search_in_project', 'run_command', 'apply_patch'].map((name) => ({
  name,
  description: `Does what ${name} says, inside of the workspace, with a path that is relative to its root.`,
  schema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where.' }, text: { type: 'string' }, limit: { type: 'integer', minimum: 1 } },
    required: ['path'],
  },
}));

const CALL = { id: 'call_1', name: 'read_file', arguments: { path: 'src/parse.js' } };

/** A step of an agent with six tools, a call and its result: about 3.5 KB. */
const BODIES: Readonly<Record<Dialect, object>> = {
  chat: {
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: TASK },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: CALL.id, type: 'function', function: { name: CALL.name, arguments: JSON.stringify(CALL.arguments) } }],
      },
      { role: 'tool', tool_call_id: CALL.id, content: RESULT },
    ],
    tools: TOOLS.map(({ name, description, schema }) => ({ type: 'function', function: { name, description, parameters: schema } })),
    max_tokens: 4_096,
  },
  messages: {
    system: SYSTEM,
    messages: [
      { role: 'user', content: TASK },
      { role: 'assistant', content: [{ type: 'tool_use', id: CALL.id, name: CALL.name, input: CALL.arguments }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: CALL.id, content: RESULT }] },
    ],
    tools: TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    max_tokens: 4_096,
  },
};

const PATHS: Readonly<Record<Dialect, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages' };
/** Names that lead to the upstream of a dialect, without any registration. */
const MODELS: Readonly<Record<Dialect, string>> = { chat: 'gpt-bench', messages: 'claude-bench' };

/** The bytes of a request. */
export function toRequest({ caller, upstream, stream }: Case, headers: Readonly<Record<string, string>>): Buffer {
  const body = JSON.stringify({
    model: `${MODELS[upstream]}-${stream ?? 'whole'}`,
    ...BODIES[caller],
    stream: stream && true,
    stream_options: stream && caller === 'chat' ? { include_usage: true } : undefined,
  });
  const all = {
    ...{ host: '127.0.0.1', 'content-type': 'application/json', accept: '*/*', 'user-agent': 'bench' },
    ...{ ...(caller === 'messages' && { 'anthropic-version': '2023-06-01' }), ...headers },
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${PATHS[caller]} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { chat, collectAnswer, type Answer } from '@codelab/llm';
import { verifies } from '@codelab/testkit';

const FIXTURES: readonly (readonly [file: string, answer: Answer])[] = [
  [
    'openai-two-calls',
    {
      text: '두 파일을 읽겠습니다 🙂.',
      toolCalls: [
        { providerId: 'call_Ab1', name: 'read_file', arguments: '{"path":"a.txt"}' },
        { providerId: 'call_Cd2', name: 'read_file', arguments: '{"path":"б.txt"}' },
      ],
      finish: 'tool_calls',
      usage: { inputTokens: 412, outputTokens: 38, cachedInputTokens: 384, reasoningTokens: 0 },
    },
  ],
  [
    'ollama-index-zero',
    {
      text: '',
      toolCalls: [
        { providerId: 'call_q1', name: 'read_file', arguments: '{"path":"a.txt"}' },
        { providerId: 'call_q2', name: 'read_file', arguments: '{"path":"b.txt"}' },
      ],
      finish: 'tool_calls',
      usage: { inputTokens: 151, outputTokens: 44 },
    },
  ],
  [
    'gemini-no-index',
    {
      text: '',
      toolCalls: [
        { providerId: 'function-call-1', name: 'read_file', arguments: '{"path":"a.txt"}' },
        { providerId: 'function-call-2', name: 'read_file', arguments: '{"path":"b.txt"}' },
      ],
      finish: 'tool_calls',
      usage: { inputTokens: 90, outputTokens: 20 },
    },
  ],
  [
    'openrouter-comments',
    {
      ...{ text: 'Hello!', toolCalls: [], finish: 'stop', usage: { inputTokens: 8, outputTokens: 12, costUsd: 0.00001 } },
      thinking: [{ kind: 'thinking', text: 'The user greets.' }],
    },
  ],
  [
    'openai-length',
    {
      text: '',
      toolCalls: [{ providerId: 'call_L', name: 'write_file', arguments: '{"path":"a.txt","content":"half of' }],
      finish: 'length',
      usage: { inputTokens: 10, outputTokens: 16, cachedInputTokens: 0, reasoningTokens: 0 },
    },
  ],
];

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test.each(FIXTURES)(
  verifies('L3:utf8-boundaries', 'the stream %s reads the same whole, in single bytes and in odd pieces'),
  async (file, answer) => {
    const bytes = await readFile(new URL(`__fixtures__/${file}.sse`, import.meta.url));
    for (const length of [bytes.length, 1, 2, 3, 7, 61]) {
      expect(await collectAnswer(chat.upstream.decodeStream(inPieces(bytes, length)))).toEqual(answer);
    }
  },
);

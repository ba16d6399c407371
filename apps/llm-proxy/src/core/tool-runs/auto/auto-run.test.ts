import { expect, test } from 'vitest';
import { sessionRef, type SessionStream, type StreamEvent, type SessionMeta, type ToolCallRow } from '@codelab/bus';
import type { StreamPart } from '@codelab/llm';
import { verifies, toTestEnvelope } from '@codelab/testkit';
import type { AnswerEvent } from '../../serve/answer-parts.js';
import type { ToolInfo } from '../catalog/tool-info.js';
import { AutoRun, type AutoRequest, type AutoRunPorts } from './auto-run.js';

const owner = { tenant: 't', sub: 'u' };
const parent = sessionRef(owner, 'ide');
const child = { ref: sessionRef(owner, 'child'), epoch: 'e' } as SessionMeta;
const weather: ToolInfo = { name: 'weather', description: '', inputSchema: {}, tags: ['http', 'write'] };

/** A session that says what a test lets it say, and remembers what was done to it. */
class Scene {
  readonly done: string[] = [];
  readonly rows: ToolCallRow[] = [];
  readonly faults: unknown[] = [];
  readonly caller = new AbortController();
  history: object[] = [];
  onCancel: () => void = () => undefined;
  private readonly events: StreamEvent[] = [];
  private wake: () => void = () => undefined;

  readonly ports: AutoRunPorts = {
    children: {
      open: async () => ({ kind: 'opened', child }),
      close: async () => void this.done.push('close'),
    },
    streams: {
      open: async () => {
        this.done.push('subscribe');
        const stream: Partial<SessionStream> = {
          next: async () => {
            if (this.events.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
            return this.events.shift() ?? { kind: 'woken' };
          },
          wake: () => this.wake(),
          close: () => void this.done.push('unsubscribe'),
        };
        return stream as SessionStream;
      },
    },
    store: {
      requestCancel: async () => {
        this.done.push('cancel');
        this.onCancel();
        return { kind: 'cancelling', turnId: 't' };
      },
      readHistory: async () => ({ items: this.history.map((item) => JSON.stringify(item)), total: this.history.length }),
    },
    handovers: { keep: async () => true },
    toolCalls: { record: (_owner, row) => void this.rows.push(row) },
    now: () => 0,
    autoTimeoutMs: 60_000,
    onFault: (error) => void this.faults.push(error),
  };

  say(...frames: readonly object[]): void {
    this.tell({ kind: 'logged', fromLog: false, frames: frames.map((frame, seq) => ({ seq, ...toTestEnvelope(JSON.stringify(frame)) })) });
  }

  private tell(event: StreamEvent): void {
    this.events.push(event);
    this.wake();
  }

  lose(): void {
    this.tell({ kind: 'reset', epoch: 'f', seq: 0 });
  }

  run(ports: Partial<AutoRunPorts> = {}): AutoRun {
    const request: AutoRequest = {
      ...{ parent, serverTools: [weather], modelNames: new Map(), signal: this.caller.signal },
      child: {
        ...{ sessionId: 'child', turnId: 't', model: 'm', base: '{}', callerTools: [] },
        serverTools: [],
        executorTools: [],
        maxToolRounds: 3,
      },
      encodeProgress: (progress) => JSON.stringify(progress),
    };
    return new AutoRun(request, { ...this.ports, ...ports });
  }
}

const said = (message_id: string, token: string) => ({ type: 'assistant_message', message_id, token, is_final: false });
const ended = (more: object = {}) => ({
  ...{
    type: 'turn_ended',
    turn_id: 't',
    message_ids: [],
    model: 'm',
    status: 'completed',
    usage: { input_tokens: 3, output_tokens: 2, cost_usd: 0.5 },
  },
  ...more,
});

/** Reads an answer to its end; what a test says begins once somebody listens. */
async function read(scene: Scene, run: AutoRun, speak: () => void): Promise<AnswerEvent[]> {
  const parts: AnswerEvent[] = [];
  const reading = (async () => {
    for await (const part of run.parts()) parts.push(part);
  })();
  while (!scene.done.includes('subscribe')) await new Promise(setImmediate);
  speak();
  await reading;
  return parts;
}
const textOf = (parts: readonly AnswerEvent[]): string => parts.map((part) => (part.kind === 'text_delta' ? part.text : '')).join('');
const finish = (parts: readonly AnswerEvent[]) => parts.at(-1) as Extract<StreamPart, { kind: 'finish' }>;

test('an answer is what was said, until its turn ends, with what the turn used; then nothing is left open', async () => {
  const scene = new Scene();
  const run = scene.run();
  const parts = await read(scene, run, () => scene.say(said('a', 'One'), said('a', '.'), said('b', 'Two.'), ended()));
  expect([textOf(parts), run.stop]).toEqual(['One.\n\nTwo.', undefined]);
  expect(finish(parts)).toEqual({ kind: 'finish', reason: 'stop', usage: { inputTokens: 3, outputTokens: 2, costUsd: 0.5 } });
  expect(scene.done).toEqual(['subscribe', 'unsubscribe', 'close']);
});

test('usage that nobody counted is not told', async () => {
  const scene = new Scene();
  const parts = await read(scene, scene.run(), () => scene.say(ended({ usage: { input_tokens: 0, output_tokens: 0 } })));
  expect(finish(parts)).toEqual({ kind: 'finish', reason: 'stop' });
});

test(
  verifies('L3:CP-timeout', 'a request over its time is stopped: what was said is kept, with a mark, whether or not the turn ends in time'),
  async () => {
    const scene = new Scene();
    scene.onCancel = () => scene.say(said('a', ' and more'), ended({ status: 'cancelled' }));
    const run = scene.run({ autoTimeoutMs: 20 });
    const parts = await read(scene, run, () => scene.say(said('a', 'Some')));
    expect(textOf(parts)).toMatch(/^Some and more\n\n\[Stopped: the request took longer than/);
    expect([run.stop, finish(parts)]).toMatchObject(['timeout', { reason: 'stop', usage: { inputTokens: 3 } }]);
    expect(parts).toContainEqual({ kind: 'event', text: '{"stop":"timeout"}' });
  },
);

test('a turn that was cancelled in the IDE ends with a mark, one that failed as an error that no client repeats', async () => {
  const cancelled = new Scene();
  const run = cancelled.run();
  expect(textOf(await read(cancelled, run, () => cancelled.say(ended({ status: 'cancelled' }))))).toContain('cancelled in the IDE');
  expect(run.stop).toBe('cancelled');
  const failed = new Scene();
  const error = { code: 'TURN_FAILED', message: 'The model is away.' };
  const reading = read(failed, failed.run(), () => failed.say(ended({ status: 'failed', error })));
  await expect(reading).rejects.toMatchObject({ name: 'LlmError', message: 'The model is away.', retryable: false });
  expect(failed.done).toContain('close');
});

test('a caller that leaves, and a log that was lost, end the turn', async () => {
  const left = new Scene();
  await expect(read(left, left.run(), () => left.caller.abort())).rejects.toMatchObject({ code: 'cancelled' });
  const lost = new Scene();
  await expect(read(lost, lost.run(), () => lost.lose())).rejects.toMatchObject({ kind: 'unavailable' });
  expect([left.done, lost.done]).toEqual([
    ['subscribe', 'unsubscribe', 'close'],
    ['subscribe', 'unsubscribe', 'close'],
  ]);
});

test.each([
  ['NO_EXECUTOR', 'conflict'],
  ['FULL', 'overloaded'],
] as const)('a session that refuses a child with %s is told as %s', async (code, kind) => {
  const scene = new Scene();
  const run = scene.run({ children: { open: async () => ({ kind: 'refused', code }), close: async () => undefined } });
  await expect(run.parts().next()).rejects.toMatchObject({ name: 'ApiError', kind });
});

import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { EMPTY_VIEW, reduceSession, type SessionEvent, type SessionView } from '@codelab/client/view';
import type { ServerFrame } from '@codelab/protocol';
import { followAnswer } from './follow-answer.js';

/** A conversation whose frames the test hears; what it shows is reduced as the real one is. */
class Talk {
  private shown: SessionView = EMPTY_VIEW;
  private readonly listeners = new Set<() => void>();
  readonly view = (): SessionView => this.shown;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly send = async ({ content }: { readonly content: string }): Promise<void> =>
    this.tell({ kind: 'message_sent', messageId: 'm1', content, attachments: [], atMs: 0 });

  get isHeard(): boolean {
    return this.listeners.size > 0;
  }

  hear(...frames: readonly object[]): void {
    for (const frame of frames) this.tell({ kind: 'frame', frame: frame as ServerFrame, atMs: 0 });
  }

  private tell(event: SessionEvent): void {
    this.shown = reduceSession(this.shown, event);
    for (const listener of [...this.listeners]) listener();
  }
}

const text = (messageId: string, token: string) => ({
  type: 'assistant_message',
  message_id: messageId,
  turn_id: 't1',
  token,
  done: false,
});

test(
  verifies(
    'L3:ide-participant',
    'the participant of the editor’s chat hands on what is answered to it, and nothing that stood there before',
  ),
  async () => {
    const talk = new Talk();
    talk.hear(text('old', 'Said before.'));
    const told: string[] = [];
    const follows = followAnswer(talk, { content: 'go', tell: (piece) => told.push(piece), signal: new AbortController().signal });
    talk.hear({ type: 'turn_started', turn_id: 't1', message_ids: ['m1'] }, text('a1', 'I '), text('a1', 'look.'), text('a2', 'Done.'));
    await Promise.resolve();
    expect(talk.isHeard).toBe(true);
    talk.hear({
      type: 'turn_ended',
      turn_id: 't1',
      message_ids: ['m1'],
      status: 'completed',
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    await follows;
    expect(told.join('')).toBe('I look.\n\nDone.');
    expect(talk.isHeard).toBe(false);
  },
);

test('who takes the question back waits for no end', async () => {
  const talk = new Talk();
  const stop = new AbortController();
  const follows = followAnswer(talk, { content: 'go', tell: () => undefined, signal: stop.signal });
  await Promise.resolve();
  stop.abort();
  await follows;
  expect(talk.isHeard).toBe(false);
});

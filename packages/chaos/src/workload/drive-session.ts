import { setTimeout as delay } from 'node:timers/promises';
import type { ChaosEvent } from '../recording/chaos-event.js';
import type { Recorder } from '../recording/recorder.js';
import type { ClientProcess } from './client/client-process.js';
import type { SessionState } from './observer/session-state.js';
import type { WireObserver } from './observer/wire-observer.js';
import type { RestClient } from './rest-client.js';
import { marksIn } from './script/marks.js';
import type { Act, Moment, ScriptedMessage, SessionScript } from './script/session-script.js';

/** Whoever drives a session waits for what the next thing depends on, but not for ever: a fault may have taken it. */
const MOMENT_MS = 4_000;
const TURN_MS = 40_000;
/** A client that was killed before its message was accepted is told to say it again: its human would. */
const SAY_AGAIN_MS = 1_500;

/** What a driver works with. */
export interface Stage {
  readonly script: SessionScript;
  readonly watcher: WireObserver;
  readonly rest: RestClient;
  /** None for a session whose executor is no client of ours. */
  readonly client?: ClientProcess;
  /** Starts another client on the session; resolves with its `client_id` when it is connected, or not at all in time. */
  readonly succeed: (client: string) => Promise<string | undefined>;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
}

/** Holds one conversation, act by act. */
export class SessionDriver {
  private readonly accepted = new Set<string>();
  private isDriven = false;
  private losses = 0;
  /** How often the store had lost something when a message was said: one that is lost has no end to be waited for. */
  private readonly lossesBefore = new Map<string, number>();

  constructor(private readonly stage: Stage) {}

  async drive(): Promise<void> {
    const stop = this.stage.recorder.listen((event) => this.hear(event));
    try {
      for (const act of this.stage.script.acts) {
        if (this.stage.signal.aborted) return;
        await this.perform(act);
      }
    } finally {
      this.isDriven = true;
      stop();
    }
  }

  private async perform(act: Act): Promise<void> {
    const { watcher, rest, script } = this.stage;
    this.say(act.message);
    if (act.kind === 'say') return this.over(act.message);
    await this.moment(act.message, act.when);
    switch (act.kind) {
      case 'cancel': {
        const turnId = watcher.state.turnOfMessage.get(act.message.id);
        if (turnId !== undefined) void watcher.ask({ type: 'cancel', turn_id: turnId, ...(act.queue && { queue: true }) });
        if (act.decides) this.approveAll();
        return this.over(act.message);
      }
      case 'join':
        for (const other of act.others) this.say(other);
        for (const message of [act.message, ...act.others]) await this.over(message);
        return;
      case 'reconnect':
        watcher.cut();
        return this.over(act.message);
      case 'succeed': {
        const clientId = await this.stage.succeed(act.client);
        const path = `/api/v1/sessions/${script.session}/executor`;
        if (clientId !== undefined) await rest.insist('POST', path, { client_id: clientId }, MOMENT_MS);
        return this.over(act.message);
      }
    }
  }

  /** Says it until it is accepted. */
  private say(message: ScriptedMessage): void {
    const { watcher, client, script } = this.stage;
    const { id, content, whenBusy, model } = message;
    this.lossesBefore.set(id, this.losses);
    if (message.by === 'watcher' || client === undefined) {
      const frame = { type: 'user_message', message_id: id, content, model, when_busy: whenBusy };
      const ask = async (): Promise<void> => {
        const answer = await watcher.ask(frame);
        // A store that has just lost the session refuses it; whoever is told so connects anew, and says it again.
        if (answer.ok || answer.code !== 'SESSION_NOT_FOUND') return void this.accepted.add(id);
        await delay(SAY_AGAIN_MS, undefined, { signal: this.stage.signal });
        await ask();
      };
      void ask().catch(() => undefined);
      return;
    }
    const tell = (): void => client.tell({ do: 'say', session: script.session, messageId: id, content, whenBusy, model });
    const again = async (): Promise<void> => {
      while (!this.accepted.has(id) && !this.isDriven && !this.stage.signal.aborted) {
        tell();
        await delay(SAY_AGAIN_MS, undefined, { signal: this.stage.signal }).catch(() => undefined);
      }
    };
    void again();
  }

  /** Waits until the turn of a message is at this moment. */
  private async moment(message: ScriptedMessage, when: Moment): Promise<void> {
    const marks = new Set(marksIn(message.steps));
    const isAt = (state: SessionState): boolean => {
      if (!state.turnOfMessage.has(message.id)) return false;
      const calls = [...state.calls.values()].filter(({ args }) => marksIn(args).some((mark) => marks.has(mark)));
      switch (when) {
        case 'at once':
          return true;
        case 'writing':
          return state.isWriting;
        case 'running':
          return calls.some(({ state: now }) => now === 'running');
        case 'asking':
          return calls.some(({ state: now }) => now === 'waiting_approval');
        case 'child':
          return calls.some(({ state: now, origin }) => origin === 'task' && now === 'running');
      }
    };
    await this.stage.watcher.until((state) => isAt(state) || state.isOver(message.id), MOMENT_MS);
  }

  private approveAll(): void {
    const { watcher, rest, script } = this.stage;
    for (const { callId, state, digest } of watcher.state.calls.values()) {
      const decision = { call_id: callId, decision: 'approve', args_sha256: digest };
      if (state === 'waiting_approval') void rest.ask('POST', `/api/v1/sessions/${script.session}/decisions`, decision);
    }
  }

  private async over(message: ScriptedMessage): Promise<void> {
    const { watcher, signal } = this.stage;
    const before = this.lossesBefore.get(message.id) ?? this.losses;
    const isOver = (state: SessionState): boolean => state.isOver(message.id) || this.losses > before || signal.aborted;
    const deadline = performance.now() + TURN_MS;
    while (!isOver(watcher.state) && performance.now() < deadline) await watcher.until(isOver, 500);
  }

  private hear(event: ChaosEvent): void {
    if (event.kind === 'store-lost') this.losses += 1;
    if (event.kind === 'frame' && event.direction === 'in' && event.frame.type === 'message_accepted')
      this.accepted.add(String(event.frame['message_id']));
  }
}

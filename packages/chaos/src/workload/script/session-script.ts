import type { PlannedStep } from './conversation-plan.js';

/** Who says something: the client that executes, by the SDK, or an observer, by frames of its own. */
export type Speaker = 'client' | 'watcher';

/** What a person says, and what the model will do about it. */
export interface ScriptedMessage {
  readonly id: string;
  readonly content: string;
  readonly steps: readonly PlannedStep[];
  readonly by: Speaker;
  readonly whenBusy?: 'enqueue' | 'steer' | 'interrupt';
  readonly model?: string;
}

/** When a person does something in a turn: the model writes, a tool runs, a question is open, a child session works, or right away. */
export type Moment = 'writing' | 'running' | 'asking' | 'child' | 'at once';

/** One thing that happens in a session; the next begins when its turns have ended. */
export type Act =
  | { readonly kind: 'say'; readonly message: ScriptedMessage }
  | {
      readonly kind: 'cancel';
      readonly message: ScriptedMessage;
      readonly when: Moment;
      readonly queue: boolean;
      /** In the same moment somebody approves what waits. */
      readonly decides: boolean;
    }
  | { readonly kind: 'join'; readonly message: ScriptedMessage; readonly when: Moment; readonly others: readonly ScriptedMessage[] }
  /** A second client takes over, in the middle of the turn. */
  | { readonly kind: 'succeed'; readonly message: ScriptedMessage; readonly when: Moment; readonly client: string }
  /** An observer is cut off in the middle of the turn, and comes back. */
  | { readonly kind: 'reconnect'; readonly message: ScriptedMessage; readonly when: Moment };

/** All that happens in one session. */
export interface SessionScript {
  readonly session: string;
  /** Index into the owners. */
  readonly owner: 0 | 1;
  /** The process that executes: several sessions may share one. */
  readonly client: string;
  /** `raw`: no client of ours executes but one that repeats and reorders its frames. */
  readonly kind: 'executor' | 'raw';
  readonly vocabulary: 'codelab' | 'agent';
  readonly model: string;
  readonly acts: readonly Act[];
}

/** A frame as it was on the wire. */
export type ChaosFrame = { readonly type: string } & Readonly<Record<string, unknown>>;

/** What an observer is: `executor` and `successor` run tools, `watcher` reads and may decide, `raw` repeats and reorders its frames, `seed` says no `hello`, `thief` asks for what another owner has, `auditor` reads the whole log at the end. */
export type ObserverRole = 'executor' | 'successor' | 'watcher' | 'raw' | 'seed' | 'thief' | 'auditor';

/** What a run knows about a service at the moment of a probe; `unsure` is within the time that a service is given to notice. */
export type ProbeTruth = 'able' | 'unable' | 'unsure';

/** One thing that happened in a run. Everything that is judged, shown or replayed stands in these. */
export type ChaosEventBody =
  /** A planned fault. `id` pairs its begin with its end. */
  | {
      readonly kind: 'fault';
      readonly id: number;
      readonly name: string;
      readonly target: string;
      readonly phase: 'begin' | 'end';
      readonly detail?: string;
    }
  /** A process of the system or of the workload. */
  | {
      readonly kind: 'process';
      readonly name: string;
      readonly pid: number;
      readonly what: 'started' | 'ready' | 'exited' | 'frozen' | 'thawed';
      readonly code?: number | null;
      readonly signal?: string | null;
      /** Of an exit: the signal by which the run had asked for it; `late`: it did not go by that in time, and was killed; `port-taken`: the run gave it a port that was not free. */
      readonly asked?: 'SIGKILL' | 'SIGTERM' | 'late' | 'port-taken';
    }
  /** The store may have lost what it had acknowledged after `since` (ms of the run; 0: all of it). */
  | { readonly kind: 'store-lost'; readonly since: number; readonly how: string }
  /** Parts of a run: before faults, with faults, after the last of them healed, after the last turn ended. */
  | { readonly kind: 'phase'; readonly what: 'calm' | 'storm' | 'healed' | 'settled' | 'over' }
  /** Who an observer is. Comes before anything else of it. */
  | {
      readonly kind: 'observer';
      readonly observer: string;
      readonly role: ObserverRole;
      readonly owner: string;
      readonly session: string;
      readonly clientId?: string;
    }
  /** A connection of an observer: a number from 1 for each. `refused`: the upgrade was, `code` is the HTTP status. */
  | {
      readonly kind: 'socket';
      readonly observer: string;
      readonly connection: number;
      readonly what: 'open' | 'closed' | 'refused';
      readonly code?: number;
    }
  /** A frame as the observer got it (`in`) or was about to send it (`out`). */
  | {
      readonly kind: 'frame';
      readonly observer: string;
      readonly connection: number;
      readonly direction: 'in' | 'out';
      readonly frame: ChaosFrame;
    }
  /** A request of an observer over HTTP, with its answer; no status where there came none. */
  | {
      readonly kind: 'rest';
      readonly observer: string;
      readonly method: string;
      readonly path: string;
      readonly status?: number;
      readonly request?: object;
      readonly answer?: object;
    }
  /** A human's answer to an executor's question, before its client sends it. */
  | {
      readonly kind: 'decision';
      readonly observer: string;
      readonly session: string;
      readonly callId: string;
      readonly decision: 'approve' | 'edit' | 'reject' | 'leave';
      readonly args?: object;
    }
  /** An executor runs a call: before its tool does anything, and when it has the outcome. */
  | {
      readonly kind: 'run';
      readonly observer: string;
      readonly session: string;
      readonly callId: string;
      readonly tool: string;
      readonly what: 'begin' | 'end';
      readonly args?: object;
      readonly ok?: boolean;
      readonly error?: string;
    }
  /** What really happened on disk: each mark that was found in the workspace of a session, as often as it was. */
  | { readonly kind: 'effect'; readonly session: string; readonly mark: string; readonly tool: string; readonly what: string }
  /** A request that the upstream got, as it was. `session` is what stands in the conversation. */
  | {
      readonly kind: 'model-request';
      readonly id: number;
      readonly dialect: 'chat' | 'messages';
      readonly session?: string;
      readonly authorization?: string;
      readonly body: object;
    }
  /** How a request of the model ended. `failed`: the upstream refused it, as it was told to. */
  | { readonly kind: 'model-end'; readonly id: number; readonly how: 'answered' | 'cut' | 'hung-up' | 'failed' }
  /** What a service said about itself, and what the run knew. `truth` of `/health`: whether the process lives. */
  | {
      readonly kind: 'probe';
      readonly target: string;
      readonly path: '/ready' | '/health';
      readonly status: number;
      readonly truth: ProbeTruth;
      readonly detail?: string;
    }
  /** A line that a process wrote. */
  | { readonly kind: 'log'; readonly process: string; readonly line: string }
  /** What there is: keys and bytes of the store, and by process its memory (bytes) and sockets, by queue its length. */
  | {
      readonly kind: 'census';
      readonly keys: number;
      /** Keys of sessions among them. */
      readonly sessionKeys?: readonly string[];
      readonly bytes: number;
      readonly rss: Readonly<Record<string, number>>;
      readonly sockets: Readonly<Record<string, number>>;
      readonly queues: Readonly<Record<string, number>>;
    }
  /** A timer of the run came `byMs` too late: the machine had more to do than it could, and all processes of the run wait as long. */
  | { readonly kind: 'late'; readonly byMs: number }
  /** Since the last of these, a process of the run could have run for so long and had no processor: of each moment the one that waited longest. Only on Linux. */
  | { readonly kind: 'queued'; readonly byMs: number }
  | { readonly kind: 'note'; readonly text: string };

/** `at`: milliseconds since the run began, of one monotonic clock for all processes of the run. */
export type ChaosEvent = ChaosEventBody & { readonly at: number };

/** The events of one kind. */
export type EventOf<K extends ChaosEvent['kind']> = Extract<ChaosEvent, { readonly kind: K }>;

/** One session that a client process works on. */
export interface ClientSession {
  readonly session: string;
  readonly token: string;
  /** The workspace, which is there. */
  readonly root: string;
  /** The client's own data: journals, backups, rules. Kept over its restarts. */
  readonly dataDir: string;
  readonly model: string;
  readonly vocabulary: string;
}

/** What a client process is told first, on one line of its input. */
export interface ClientConfig {
  readonly name: string;
  /** `ws://…/ws`. */
  readonly url: string;
  /** Of the run's clock, as text. */
  readonly origin: string;
  readonly sessions: readonly ClientSession[];
}

/** What it is told then, a line each. */
export type ClientCommand =
  | { readonly do: 'open'; readonly session: ClientSession }
  | {
      readonly do: 'say';
      readonly session: string;
      readonly messageId: string;
      readonly content: string;
      readonly whenBusy?: string;
      readonly model?: string;
    }
  | { readonly do: 'cancel'; readonly session: string; readonly turnId: string }
  | { readonly do: 'close' };

/** The name that an observer of this process has in the recording. */
export const observerOf = (client: string, session: string): string => `${client}/${session}`;

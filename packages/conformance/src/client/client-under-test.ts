/** What a client is started with. */
export interface ClientStart {
  readonly url: string;
  readonly token: string;
  readonly workspace: string;
  /** A folder for journal and identity; a client that comes again finds what it left. */
  readonly state: string;
  readonly session: string;
  readonly approve: 'all' | 'none';
}

/** The client that is checked: a program that the kit starts, or one that somebody starts by hand. */
export interface ClientUnderTest {
  start(how: ClientStart): Promise<void>;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
  /** Lets go of it at the end of a check. */
  release(): Promise<void>;
  /** The end of what it printed, for a failure. */
  output(): string;
}

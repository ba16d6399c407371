import type { ProviderSettings } from '../../core/stack/provider-settings.js';

/** Where the session lives, and what to show there. `stop` lets go of services that were started for this command. */
export interface Gateway {
  /** `ws://host:port/ws`, without the session. */
  readonly ws: string;
  /** `http://host:port`, for REST. */
  readonly http: string;
  readonly token: string;
  /** `http://host:port` of the llm-proxy beside it; absent where that isn't known. */
  readonly llmProxy?: string | undefined;
  /** Names the place over restarts: `local`, or the address. */
  readonly place: string;
  /** What the services of this machine were started with; absent where that isn't known. */
  readonly settings?: ProviderSettings | undefined;
  /** Looks where it is now, before each connection: services of this machine may have been started again at another port. */
  follow(): Promise<void>;
  stop(): void;
}

import type { DialectName, Quirks, UpstreamCodec } from '@codelab/llm';
import type { SettingNames } from './transport/to-llm-error.js';
import type { ProxySettings } from './transport/transport.js';
import type { Timeouts } from './transport/deadlines.js';
import type { Upstream } from './upstream.js';

/** A kind of upstream: one line of `UPSTREAM_TYPES`. */
export interface UpstreamType {
  /** The names of models that are its own wherever nothing else is said of them. */
  readonly models: RegExp;
  /** What the environment and the models file may say of a server; missing for the built-in model. */
  readonly server?: ServerType;
  open(config: ServerConfig, proxy?: ProxySettings): Upstream;
}

/** A server to ask, with everything that the environment and the models file say of it. */
export interface ServerConfig {
  readonly name: string;
  readonly baseUrl: string;
  /** Left out for servers that want none. */
  readonly apiKey?: string;
  readonly timeouts: Timeouts;
  readonly quirks: Quirks;
  /** What messages call the settings. */
  readonly settings: SettingNames;
  /** It is not told where its requests stand in a trace. Default: it is. */
  readonly hidesTrace?: boolean;
}

/** What is special about the servers of one type. */
export interface ServerType {
  /** The vendor's own, and the variables of the environment for it. */
  readonly vendor: { readonly baseUrl: string; readonly settings: SettingNames };
  /** What to set where one is missing. */
  readonly remedy: string;
  /** What servers do differently, as far as their host tells. */
  readonly usualQuirks: (hostname: string) => Quirks;
  /** Whether the models of a server may have any name: it speaks the vendor's dialect and isn't the vendor's. */
  readonly takesAnyName: (hostname: string) => boolean;
  readonly keyHeader: (apiKey: string) => Readonly<Record<string, string>>;
  readonly endpoints: (baseUrl: string, quirks: Quirks) => Endpoints;
}

/** Where a server is asked, below its base URL, and in which words. */
export interface Endpoints {
  /** For canonical requests: they go to the first of `paths`. */
  readonly codec: UpstreamCodec;
  /** Where the requests of a dialect go, canonical and relayed. */
  readonly paths: ReadonlyMap<DialectName, string>;
  /** Where texts become vectors, in OpenAI's shape; absent where they don't. */
  readonly embeddings?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly models: { readonly path: string; readonly query?: string };
}

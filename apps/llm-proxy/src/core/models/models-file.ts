import type { Quirks } from '@codelab/llm';
import type { VocabularyName } from '@codelab/tools';
import type { ServerTypeName } from '../upstreams/upstream-types.js';

/**
 * The shape of `codelab.models.yaml`, as it is after validation and with defaults filled in. Keys of upstreams come from the environment
 * only: the file names variables.
 */
export interface ModelsFile {
  readonly upstreams: Readonly<Record<string, UpstreamEntry>>;
  readonly models: Readonly<Record<string, ModelEntry>>;
  /** Another name → the name of a model or of a route. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly routes: Readonly<Record<string, RouteEntry>>;
  /** What callers may do, by `tenant/sub`, `tenant/*` or `*`; the most specific one counts. */
  readonly keys: Readonly<Record<string, KeyEntry>>;
}

export interface UpstreamEntry {
  readonly type: ServerTypeName;
  /** As the vendor's clients take it: with `/v1` for `openai`, without for `anthropic`. */
  readonly base_url?: string;
  /** The environment variable that holds the key. */
  readonly api_key_env?: string;
  readonly timeouts?: Partial<Readonly<Record<'connect_ms' | 'first_token_ms' | 'idle_ms' | 'total_ms', number>>>;
  readonly quirks?: Quirks;
}

/** US dollars per million tokens. */
export interface PriceEntry {
  readonly input: number;
  readonly output: number;
  /** Default: `input`. */
  readonly cached_input?: number;
  /** Default: `input`. */
  readonly cache_write?: number;
  /** Of what `POST /v1/embeddings` is given. Default: `input`. */
  readonly embedding?: number;
}

export interface ModelEntry {
  readonly upstream: string;
  /** The upstream's name of the model; default: the name of the entry. */
  readonly model?: string;
  /** Tokens that one request may have, its answer with it. */
  readonly context_window?: number;
  /** Another name of `context_window`, which counts first. */
  readonly context_tokens?: number;
  readonly max_output_tokens?: number;
  /** What sessions with this model show it as tools, where they don't say; default: `auto`, by its family. */
  readonly vocabulary?: VocabularyName | 'auto';
  /** What people are shown. */
  readonly display_name?: string;
  readonly price?: PriceEntry;
  /** How agents let it think. */
  readonly thinking?: { readonly effort?: 'low' | 'medium' | 'high'; readonly budget_tokens?: number };
  readonly quirks?: Quirks;
}

/** A name that stands for several models. */
export interface RouteEntry {
  /** One is drawn by weight for each request; the others follow as fallbacks, then `fallback` in order. */
  readonly models: readonly { readonly model: string; readonly weight?: number }[];
  readonly fallback?: readonly string[];
}

export interface KeyEntry {
  /** Names of models, `*` as wildcard. Default: every model. */
  readonly models?: readonly string[];
  readonly requests_per_minute?: number;
  readonly tokens_per_minute?: number;
  readonly budget?: { readonly usd: number; readonly per: 'day' | 'month' | 'total' };
  /** Tools that `auto` may run and `/v1/tools` lists, `*` as wildcard; `block` beats `allow`. */
  readonly tools?: { readonly allow?: readonly string[]; readonly block?: readonly string[] };
}

import type { ProxySettings } from './transport/transport.js';
import type { Upstream } from './upstream.js';
import type { ServerConfig } from './upstream-type.js';
import { UPSTREAM_TYPES, type ServerTypeName } from './upstream-types.js';

/** A server of the environment or of the models file. */
export interface UpstreamConfig extends ServerConfig {
  readonly type: ServerTypeName;
}

/** An upstream of the environment or of the models file. */
export interface ConfiguredUpstream extends Upstream {
  readonly type: ServerTypeName;
  /** Its models may have any name, as those of Ollama and vLLM. */
  readonly takesAnyName?: boolean;
}

/** Every upstream there is, the built-in model among them. */
export interface Upstreams {
  readonly offline: Upstream;
  /** Those that are configured, in their order. */
  readonly configured: readonly ConfiguredUpstream[];
  /** Closes every connection, those in use too. */
  close(): Promise<void>;
}

export function openUpstreams(configs: readonly UpstreamConfig[], proxy?: ProxySettings): Upstreams {
  const configured = configs.map((config): ConfiguredUpstream => {
    const { open, server } = UPSTREAM_TYPES[config.type];
    return Object.assign(open(config, proxy), {
      type: config.type,
      takesAnyName: server.takesAnyName(new URL(config.baseUrl).hostname),
    });
  });
  const offline = UPSTREAM_TYPES.offline.open();
  return { offline, configured, close: async () => void (await Promise.all(configured.map((upstream) => upstream.close()))) };
}

import type { Quirks } from '@codelab/llm';
import { anthropicDialect } from './anthropic/anthropic-dialect.js';
import { OfflineUpstream } from './offline/index.js';
import { isOpenAi } from './openai/is-openai.js';
import { openAiDialect, servesResponses } from './openai/openai-dialect.js';
import type { Timeouts } from './transport/deadlines.js';
import { HttpUpstream } from './transport/http-upstream.js';
import type { SettingNames } from './transport/to-llm-error.js';
import { Transport, type ProxySettings } from './transport/transport.js';
import type { Upstream } from './upstream.js';

/** A server to ask, with everything that the environment and the models file say of it. */
export interface UpstreamConfig {
  readonly name: string;
  readonly type: 'openai' | 'anthropic';
  /** With its version for `openai`, without for `anthropic`. */
  readonly baseUrl: string;
  /** Left out for servers that want none. */
  readonly apiKey?: string;
  readonly timeouts: Timeouts;
  readonly quirks: Quirks;
  /** What messages call the settings. */
  readonly settings: SettingNames;
}

/** An upstream of the environment or of the models file. */
export interface ConfiguredUpstream extends Upstream {
  readonly type: UpstreamConfig['type'];
  /** Its models may have any name: it speaks OpenAI's dialect and isn't OpenAI, as Ollama and vLLM. */
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
  const offline = new OfflineUpstream();
  const configured = configs.map((config) =>
    Object.assign(openUpstream(config, proxy), { type: config.type, takesAnyName: takesAnyName(config) }),
  );
  return {
    offline,
    configured,
    close: async () => void (await Promise.all(configured.map((upstream) => upstream.close()))),
  };
}

function openUpstream(config: UpstreamConfig, proxy: ProxySettings | undefined): HttpUpstream {
  const { name, type, baseUrl, apiKey, timeouts, quirks, settings } = config;
  const isOpenAi = type === 'openai';
  const transport = new Transport({
    ...{ baseUrl, timeouts, settings },
    headers: { 'user-agent': 'codelab', ...(apiKey !== undefined && toKeyHeader(type, apiKey)) },
    ...(proxy && { proxy }),
  });
  return new HttpUpstream({
    ...{ name, quirks, settings, transport },
    dialect: isOpenAi ? openAiDialect(quirks) : anthropicDialect(quirks, baseUrl),
    dialects: new Set(isOpenAi ? ['chat', ...(servesResponses(baseUrl, quirks) ? (['responses'] as const) : [])] : ['messages']),
  });
}

const takesAnyName = ({ type, baseUrl }: UpstreamConfig): boolean => type === 'openai' && !isOpenAi(new URL(baseUrl).hostname);

const toKeyHeader = (type: UpstreamConfig['type'], apiKey: string): Record<string, string> =>
  type === 'openai' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };

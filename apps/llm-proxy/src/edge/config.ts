import { IsBoolean, IsIn, IsInt, IsOptional, IsUrl, Matches, Max, Min, ValidateBy } from 'class-validator';
import type { SourceRules } from '@codelab/auth';
import { AccessConfig, readConfig, Setting, type UnauthenticatedLimits } from '@codelab/service-shell';

const HOUR_MS = 3_600_000;

const isOrigin = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;

const isOrigins = ValidateBy({ name: 'origins', validator: { validate: (value) => Array.isArray(value) && value.every(isOrigin) } });

const BASE_URL = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  require_valid_protocol: true,
  disallow_auth: true,
  allow_underscores: true,
};

/** What the LLM proxy reads from its environment. */
export class ProxyConfig extends AccessConfig {
  @Setting({
    env: 'LLM_PROXY_PORT',
    meaning: 'Port of the LLM proxy.',
    expects: 'a port from 0 (any free one) to 65535',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number = 8002;

  @Setting({
    env: 'CODELAB_MODEL',
    meaning: 'The model of requests that name none.',
    expects: 'the name of a model, such as gpt-5.4 or offline',
    defaultText: 'gpt-5.4 when OPENAI_API_KEY or OPENAI_BASE_URL is set, claude-sonnet-4-5 when only Anthropic is configured, else offline',
  })
  @IsOptional()
  model?: string;

  @Setting({
    env: 'OPENAI_BASE_URL',
    meaning: 'An OpenAI-compatible server: OpenAI, Ollama (`http://127.0.0.1:11434/v1`), vLLM, LM Studio, OpenRouter and others.',
    expects: 'a URL with its version and without a password, such as https://api.openai.com/v1',
    secret: true,
    defaultText: 'https://api.openai.com/v1 when OPENAI_API_KEY is set',
  })
  @IsOptional()
  @IsUrl(BASE_URL)
  openAiBaseUrl?: string;

  @Setting({
    env: 'OPENAI_API_KEY',
    meaning: 'The key for that server. Servers that want none are used with OPENAI_BASE_URL alone.',
    expects: 'the key alone, without blanks',
    secret: true,
  })
  @IsOptional()
  @Matches(/^[\x21-\x7e]+$/)
  openAiApiKey?: string;

  @Setting({
    env: 'ANTHROPIC_BASE_URL',
    meaning: "Anthropic's API, or a server that speaks it.",
    expects: 'a URL without /v1 and without a password, such as https://api.anthropic.com',
    secret: true,
    defaultText: 'https://api.anthropic.com when ANTHROPIC_API_KEY is set',
  })
  @IsOptional()
  @IsUrl(BASE_URL)
  anthropicBaseUrl?: string;

  @Setting({
    env: 'ANTHROPIC_API_KEY',
    meaning: 'The key for that server.',
    expects: 'the key alone, without blanks',
    secret: true,
  })
  @IsOptional()
  @Matches(/^[\x21-\x7e]+$/)
  anthropicApiKey?: string;

  @Setting({
    env: 'CODELAB_MODELS_FILE',
    meaning: 'The models file: upstreams, models, aliases, routes with weights and fallbacks, prices, and what each key may do.',
    expects: 'the path of a file that can be read',
    defaultText: 'codelab.models.yaml in the data directory, else in ${XDG_CONFIG_HOME:-~/.config}/codelab, if it is there',
  })
  @IsOptional()
  modelsFile?: string;

  @Setting({
    env: 'LLM_PROXY_ALLOWED_ORIGINS',
    meaning: "Origins of web pages that may ask, comma-separated, beside the proxy's own. Programs send none.",
    expects: 'origins such as https://codelab.example.com',
    defaultText: 'none',
  })
  @isOrigins
  allowedOrigins: string[] = [];

  @Setting({
    env: 'LLM_PROXY_MAX_UNAUTHENTICATED',
    meaning: 'Sockets that have not authenticated after a second, in all.',
    expects: 'a whole number from 0 to 100000',
  })
  @IsInt()
  @Min(0)
  @Max(100_000)
  maxUnauthenticated: number = 1_024;

  @Setting({
    env: 'LLM_PROXY_MAX_UNAUTHENTICATED_PER_ADDRESS',
    meaning: 'Likewise, from one address, or from one /64 of IPv6.',
    expects: 'a whole number from 0 to 100000',
  })
  @IsInt()
  @Min(0)
  @Max(100_000)
  maxUnauthenticatedPerAddress: number = 64;

  @Setting({
    env: 'LLM_PROXY_LENIENT',
    meaning: 'Whether a tool result that belongs to no call is passed on as text instead of being refused.',
    expects: 'true or false',
  })
  @IsBoolean()
  lenient: boolean = false;

  @Setting({
    env: 'LLM_PROXY_MAX_BODY_BYTES',
    meaning: 'The largest body of a request; more is 413.',
    expects: 'a whole number of bytes from 1024 to 1073741824',
    unit: 'bytes',
  })
  @IsInt()
  @Min(1_024)
  @Max(1_073_741_824)
  maxBodyBytes: number = 32 * 1024 * 1024;

  @Setting({
    env: 'LLM_PROXY_BODY_TIMEOUT_MS',
    meaning: 'How long a caller may take to send its request; longer is 408.',
    expects: 'a whole number of milliseconds from 1 to 3600000',
    unit: 'ms',
  })
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  bodyTimeoutMs: number = 300_000;

  @Setting({
    env: 'LLM_PROXY_KEEPALIVE_MS',
    meaning: 'How long a stream to a caller may be silent before a sign of life is sent.',
    expects: 'a whole number of milliseconds from 10 to 3600000',
    unit: 'ms',
  })
  @IsInt()
  @Min(10)
  @Max(HOUR_MS)
  keepaliveMs: number = 15_000;

  @Setting({
    env: 'LLM_PROXY_AUTO_TIMEOUT_MS',
    meaning: 'How long a request with `tool_execution: "auto"` may take in all, whatever `max_tool_rounds` says.',
    expects: 'a whole number of milliseconds from 1 to 86400000',
    unit: 'ms',
  })
  @IsInt()
  @Min(1)
  @Max(86_400_000)
  autoTimeoutMs: number = 1_800_000;

  @Setting({
    env: 'CODELAB_TOOLS_FILE',
    meaning: 'The tools file: which MCP servers and secrets tools that people register may name.',
    expects: 'the path of a file that can be read',
    defaultText: 'codelab.tools.yaml in the data directory, else in ${XDG_CONFIG_HOME:-~/.config}/codelab, if it is there',
  })
  @IsOptional()
  toolsFile?: string;

  @Setting({
    env: 'CODELAB_EGRESS_ALLOW',
    meaning: 'Private addresses that tools by URL may reach all the same, comma-separated: `host:port`, `host`, or a CIDR block.',
    expects: 'entries such as 127.0.0.1:9000 or 10.0.0.0/8',
    defaultText: 'none: only public addresses',
  })
  @IsOptional()
  egressAllow?: string;

  @Setting({
    env: 'LLM_PROXY_TRACE_UPSTREAMS',
    meaning:
      'Which upstreams are told by `traceparent` where a request stands in a trace: `own` (loopback, private addresses, names of the own network), `all` or `none`.',
    expects: 'own, all or none',
  })
  @IsIn(['own', 'all', 'none'])
  traceUpstreams: 'own' | 'all' | 'none' = 'own';

  @Setting({
    env: 'LLM_PROXY_CONNECT_TIMEOUT_MS',
    meaning: 'How long a provider may take to accept a connection.',
    expects: 'a whole number of milliseconds from 1 to 3600000',
    unit: 'ms',
  })
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  connectTimeoutMs: number = 10_000;

  @Setting({
    env: 'LLM_PROXY_FIRST_TOKEN_TIMEOUT_MS',
    meaning: 'How long a provider may take from the request to the first piece of its answer. Large prompts on small machines take long.',
    expects: 'a whole number of milliseconds from 1 to 3600000',
    unit: 'ms',
  })
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  firstTokenTimeoutMs: number = 300_000;

  @Setting({
    env: 'LLM_PROXY_IDLE_TIMEOUT_MS',
    meaning: 'How long a provider may be silent in the middle of an answer.',
    expects: 'a whole number of milliseconds from 1 to 3600000',
    unit: 'ms',
  })
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  idleTimeoutMs: number = 120_000;

  @Setting({
    env: 'LLM_PROXY_TOTAL_TIMEOUT_MS',
    meaning: 'How long a provider may take for a whole answer.',
    expects: 'a whole number of milliseconds from 1 to 3600000',
    unit: 'ms',
  })
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  totalTimeoutMs: number = 1_800_000;

  @Setting({
    env: 'LLM_PROXY_CONCURRENCY',
    meaning: 'Model requests that one process serves at the same time; others wait in the queue.',
    expects: 'a whole number from 1 to 10000',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  concurrency: number = 64;

  @Setting({
    env: 'LLM_PROXY_HISTORY_CACHE_CHARACTERS',
    meaning:
      'How much of the conversations served in the last ten minutes is kept in memory, so that each step reads only what is new; each item counts 600 more than its text.',
    expects: 'a whole number of characters from 0 to 4000000000',
    unit: 'characters',
  })
  @IsInt()
  @Min(0)
  @Max(4_000_000_000)
  historyCacheCharacters: number = 128_000_000;

  @Setting({
    env: 'CODELAB_CONTEXT_CUT_AT',
    meaning: "How full a session's model may be, of its context window, before what is older is cut and then compacted.",
    expects: 'a whole number of percent from 10 to 95',
    unit: '%',
  })
  @IsInt()
  @Min(10)
  @Max(95)
  contextCutAt: number = 80;

  @Setting({
    env: 'CODELAB_CONTEXT_CUT_TO',
    meaning: 'How full it is after that, about. The wider the gap, the longer providers keep what stands before it in their caches.',
    expects: 'a whole number of percent from 5 to 90, below CODELAB_CONTEXT_CUT_AT',
    unit: '%',
  })
  @IsInt()
  @Min(5)
  @Max(90)
  contextCutTo: number = 50;

  /** How full a window may get, as parts of it. A cut goes down at least a little. */
  get contextLimits(): { readonly cutAt: number; readonly cutTo: number } {
    const { contextCutAt: at, contextCutTo: to } = this;
    return { cutAt: at / 100, cutTo: Math.min(to, at - 5) / 100 };
  }

  override get unauthenticated(): UnauthenticatedLimits {
    return { total: this.maxUnauthenticated, perAddress: this.maxUnauthenticatedPerAddress };
  }

  override get sources(): SourceRules {
    return { origins: this.allowedOrigins, hosts: this.allowedHosts };
  }

  /** The upstream, if one is configured. */
  get openAi(): { readonly baseUrl: string; readonly apiKey?: string } | undefined {
    const { openAiBaseUrl, openAiApiKey } = this;
    if (openAiBaseUrl === undefined && openAiApiKey === undefined) return undefined;
    return { baseUrl: openAiBaseUrl ?? 'https://api.openai.com/v1', apiKey: openAiApiKey };
  }

  /** Anthropic's upstream, if one is configured. */
  get anthropic(): { readonly baseUrl: string; readonly apiKey?: string } | undefined {
    const { anthropicBaseUrl, anthropicApiKey } = this;
    if (anthropicBaseUrl === undefined && anthropicApiKey === undefined) return undefined;
    return { baseUrl: anthropicBaseUrl ?? 'https://api.anthropic.com', apiKey: anthropicApiKey };
  }
}

/** The configuration of this process. Throws `ConfigError`. */
export const readProxyConfig = (): ProxyConfig => readConfig(ProxyConfig, process.env);

/** The value of a variable that the models file names, or of one that every program knows, such as `HTTPS_PROXY`; empty counts as unset. */
export const readVariable = (name: string): string | undefined => process.env[name] || undefined;

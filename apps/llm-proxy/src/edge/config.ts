import { IsInt, IsOptional, IsUrl, Matches, Max, Min } from 'class-validator';
import { readConfig, ServiceConfig, Setting } from '@codelab/service-shell';

const HOUR_MS = 3_600_000;

/** What the LLM proxy reads from its environment. */
export class ProxyConfig extends ServiceConfig {
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
    defaultText: 'offline; gpt-5.4 when OPENAI_API_KEY or OPENAI_BASE_URL is set',
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
  @IsUrl({
    protocols: ['http', 'https'],
    require_protocol: true,
    require_tld: false,
    require_valid_protocol: true,
    disallow_auth: true,
    allow_underscores: true,
  })
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
    meaning: 'How much of the conversations served last is kept in memory, so that each step reads only what is new.',
    expects: 'a whole number of characters from 0 to 4000000000',
    unit: 'characters',
  })
  @IsInt()
  @Min(0)
  @Max(4_000_000_000)
  historyCacheCharacters: number = 128_000_000;

  @Setting({
    env: 'LLM_PROXY_PRICES_FILE',
    meaning:
      'A JSON file of prices in dollars per million tokens, for the cost of a turn: `{"gpt-5*": {"input": 2, "cachedInput": 0.2, "output": 8}}`.',
    expects: 'the path of a file that can be read',
    defaultText: 'no prices: no cost is told',
  })
  @IsOptional()
  pricesFile?: string;

  /** The upstream, if one is configured. */
  get openAi(): { readonly baseUrl: string; readonly apiKey?: string } | undefined {
    const { openAiBaseUrl, openAiApiKey } = this;
    if (openAiBaseUrl === undefined && openAiApiKey === undefined) return undefined;
    return { baseUrl: openAiBaseUrl ?? 'https://api.openai.com/v1', ...(openAiApiKey !== undefined && { apiKey: openAiApiKey }) };
  }
}

/** The configuration of this process. Throws `ConfigError`. */
export const readProxyConfig = (): ProxyConfig => readConfig(ProxyConfig, process.env);

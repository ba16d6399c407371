import { resolve } from 'node:path';
import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { defaultModel } from '@codelab/llm';
import { VOCABULARY_CHOICES, type VocabularyChoice } from '@codelab/tools';
import {
  findModelsFile,
  LocalConfig,
  LOG_LEVELS,
  QUOTA_OWNER_BYTES,
  readConfig,
  REDIS_URL,
  REDIS_URL_EXPECTS,
  Setting,
  TracedConfig,
  type LogLevel,
} from '@codelab/service-shell';

const PORT = 'a port from 0 (any free one) to 65535';

/** What the `codelab` command itself reads; the services it starts read the same environment with their own classes. */
export class CliConfig extends TracedConfig {
  @Setting({
    env: 'REDIS_URL',
    meaning: 'The Redis that joins the services. `codelab up` starts a private one when it is unset.',
    expects: REDIS_URL_EXPECTS,
    secret: true,
    defaultText: 'redis://127.0.0.1:6379',
  })
  @IsOptional()
  @Matches(REDIS_URL)
  redisUrl?: string;

  @Setting({
    env: 'CODELAB_TOKEN',
    meaning: 'The token that `codelab` presents to a gateway that `--url` names. Unlike `--token` it is not in the list of processes.',
    expects: 'a token',
    secret: true,
  })
  @IsOptional()
  token?: string;

  @Setting({
    env: 'CODELAB_TOKEN_FILE',
    meaning: 'The file that holds it, where CODELAB_TOKEN is unset; `--token-file` names another one.',
    expects: 'the path of a file with one token',
  })
  @IsOptional()
  tokenFile?: string;

  @Setting({
    env: 'CODELAB_LLM_PROXY_URL',
    meaning: 'The llm-proxy beside a gateway that `--url` names: MCP servers that may ask a model ask there, and /model lists what it has.',
    expects: 'an address such as http://127.0.0.1:8002',
  })
  @IsOptional()
  @Matches(/^https?:\/\/[^\s/]+\/?$/)
  llmProxyUrl?: string;

  @Setting({ env: 'GATEWAY_PORT', meaning: 'Port of the gateway.', expects: PORT, defaultText: '8000' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65_535)
  gatewayPort?: number;

  @Setting({ env: 'RUNTIME_PORT', meaning: 'Port of the agent runtime: health and metrics.', expects: PORT, defaultText: '8001' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65_535)
  runtimePort?: number;

  @Setting({ env: 'LLM_PROXY_PORT', meaning: 'Port of the LLM proxy.', expects: PORT, defaultText: '8002' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65_535)
  llmProxyPort?: number;

  @Setting({
    env: 'CODELAB_TOOLS_FILE',
    meaning: 'The tools file: remote MCP servers, tools by URL, the search provider, and secrets that tools may refer to.',
    expects: 'the path of a file that can be read',
    defaultText: 'codelab.tools.yaml in the data directory, else in ${XDG_CONFIG_HOME:-~/.config}/codelab, if it is there',
  })
  @IsOptional()
  toolsFile?: string;

  @Setting({
    env: 'CODELAB_MODELS_FILE',
    meaning: 'The models file of the llm-proxy that `codelab` starts.',
    expects: 'the path of a file that can be read',
    defaultText: 'codelab.models.yaml in the data directory, else in ${XDG_CONFIG_HOME:-~/.config}/codelab, if it is there',
  })
  @IsOptional()
  modelsFile?: string;

  @Setting({
    env: 'CODELAB_QUOTA_OWNER_BYTES',
    meaning: 'What one person may store: `doctor` says who is near it.',
    expects: 'a whole number of bytes from 0 (any amount) to 9007199254740991',
    unit: 'bytes',
  })
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  quotaOwnerBytes: number = QUOTA_OWNER_BYTES;

  @Setting({ env: 'LOG_LEVEL', meaning: 'How much is logged.', expects: `one of ${LOG_LEVELS.join(', ')}`, defaultText: 'info' })
  @IsOptional()
  @IsIn(LOG_LEVELS)
  logLevel?: LogLevel;

  @Setting({
    env: 'CODELAB_VOCABULARY',
    meaning: 'In whose words models call tools in the conversations that `codelab` begins, where `--vocabulary` names none.',
    expects: `one of ${VOCABULARY_CHOICES.join(', ')}`,
    defaultText: 'what the services are set to',
  })
  @IsOptional()
  @IsIn(VOCABULARY_CHOICES)
  vocabulary?: VocabularyChoice;

  @Setting({ env: 'VISUAL', meaning: 'The editor that opens the arguments of a call.', expects: 'a command', defaultText: '$EDITOR' })
  @IsOptional()
  visual?: string;

  @Setting({ env: 'EDITOR', meaning: 'The same, where VISUAL is unset.', expects: 'a command', defaultText: 'vi' })
  @IsOptional()
  editor?: string;

  @Setting({ env: 'NO_COLOR', meaning: 'Set to anything: no colours.', expects: 'any text' })
  @IsOptional()
  noColor?: string;

  @Setting({
    env: 'COLORFGBG',
    meaning: 'What some terminals say of their colours; the theme `auto` is `light` where the last number is that of a light one.',
    expects: 'colours of the palette such as 0;15',
  })
  @IsOptional()
  colourFgBg?: string;

  @Setting({ env: 'TERM', meaning: 'The kind of terminal; on `dumb` nothing is drawn in place.', expects: 'a name such as xterm-256color' })
  @IsOptional()
  term?: string;

  @Setting({
    env: 'TERM_PROGRAM',
    meaning: 'The terminal, where it says so: some show notifications.',
    expects: 'a name such as iTerm.app',
  })
  @IsOptional()
  termProgram?: string;

  @Setting({ env: 'VTE_VERSION', meaning: 'Set by terminals that show notifications in their own way.', expects: 'a number' })
  @IsOptional()
  vteVersion?: string;

  @Setting({ env: 'TMUX', meaning: 'Set inside tmux, which passes on the bell and no notification.', expects: 'any text' })
  @IsOptional()
  tmux?: string;
}

/** The configuration of this process. Throws `ConfigError`. */
export function readCliConfig(): CliConfig {
  return readConfig(CliConfig, process.env);
}

/** The data directory, whatever else is set wrongly. */
export function dataDirectory(): string {
  return readConfig(LocalConfig, process.env).dataDir;
}

/** The environment for a child process: ours, with some variables set and those that are `undefined` taken out. */
export function childEnvironment(changes: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/**
 * The environment of a process of ours that is started in the data directory, not in the folder where we were: what names a file from here
 * is made absolute.
 */
export function serviceEnvironment({ dataDir, modelsFile, toolsFile }: CliConfig): Readonly<Record<string, string>> {
  const env: Record<string, string> = { CODELAB_DATA_DIR: dataDir };
  if (modelsFile !== undefined) env['CODELAB_MODELS_FILE'] = resolve(modelsFile);
  if (toolsFile !== undefined) env['CODELAB_TOOLS_FILE'] = resolve(toolsFile);
  return env;
}

/** The model of the services that we start, so that each of them names the same one; empty where a models file decides. */
export function modelOfStack(config: CliConfig): string {
  const model = process.env['CODELAB_MODEL'] ?? '';
  if (model === '' && findModelsFile(config) !== undefined) return '';
  return defaultModel(model === '' ? undefined : model, {
    openai: setVariables(['OPENAI_API_KEY', 'OPENAI_BASE_URL']).length > 0,
    anthropic: setVariables(['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']).length > 0,
  });
}

/** What decides which model answers. Without any of them, and without a models file, it is the offline one. */
export const PROVIDER_VARIABLES = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'CODELAB_MODEL',
] as const;

/** Those of these variables that are set to something, with their values. */
export function variables(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(setVariables(names).map((name) => [name, process.env[name]!]));
}

/** Which of these variables are set to something. Never their values. */
export function setVariables(names: readonly string[]): readonly string[] {
  return names.filter((name) => (process.env[name] ?? '') !== '');
}

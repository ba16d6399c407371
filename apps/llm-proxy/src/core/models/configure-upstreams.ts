import type { UpstreamConfig } from '../upstreams/open-upstreams.js';
import type { Timeouts } from '../upstreams/transport/deadlines.js';
import type { ModelsFile, UpstreamEntry } from './models-file.js';
import { ModelsFileError } from './parse-models-file.js';

/** An upstream as the environment gives it. */
export interface EnvironmentUpstream {
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

export interface EnvironmentUpstreams {
  readonly openai?: EnvironmentUpstream;
  readonly anthropic?: EnvironmentUpstream;
}

export interface ConfigureOptions {
  readonly environment: EnvironmentUpstreams;
  readonly file: ModelsFile;
  /** Where an upstream names none of its own. */
  readonly timeouts: Timeouts;
  /** The value of an environment variable; unset and empty are the same. */
  readonly readVariable: (name: string) => string | undefined;
}

const VENDORS = {
  openai: { baseUrl: 'https://api.openai.com/v1', settings: { baseUrl: 'OPENAI_BASE_URL', apiKey: 'OPENAI_API_KEY' } },
  anthropic: { baseUrl: 'https://api.anthropic.com', settings: { baseUrl: 'ANTHROPIC_BASE_URL', apiKey: 'ANTHROPIC_API_KEY' } },
} as const;

/**
 * The upstreams of the environment, then those of the file; one of the file that is called `openai` or `anthropic` overrides what it names.
 * A key of the environment never goes to a URL of the file unless `api_key_env` says so. Throws `ModelsFileError`.
 */
export function configureUpstreams({ environment, file, timeouts, readVariable }: ConfigureOptions): UpstreamConfig[] {
  const problems: string[] = [];
  const names = [...new Set([...Object.keys(environment), ...Object.keys(file.upstreams)])];
  const configs = names.map((name): UpstreamConfig => {
    const entry = file.upstreams[name];
    const type = entry?.type ?? (name as keyof EnvironmentUpstreams);
    const given = isVendor(name) ? environment[name] : undefined;
    if (isVendor(name) && type !== name)
      problems.push(`upstreams.${name}.type must be ${name}: give a server of another type another name.`);
    const fromFile = entry?.api_key_env === undefined ? undefined : readVariable(entry.api_key_env);
    if (entry?.api_key_env !== undefined && (fromFile === undefined || fromFile === '')) {
      problems.push(
        `upstreams.${name}.api_key_env names ${entry.api_key_env}, which is not set: set it, or leave the line out for a server that wants no key.`,
      );
    }
    const apiKey = fromFile ?? (entry?.base_url === undefined ? given?.apiKey : undefined);
    return {
      name,
      type,
      baseUrl: entry?.base_url ?? given?.baseUrl ?? VENDORS[type].baseUrl,
      ...(apiKey !== undefined && { apiKey }),
      timeouts: withTimeouts(timeouts, entry),
      quirks: entry?.quirks ?? {},
      settings: {
        baseUrl:
          entry && (entry.base_url !== undefined || !given)
            ? `upstreams.${name}.base_url in the models file`
            : VENDORS[type].settings.baseUrl,
        apiKey: entry?.api_key_env ?? (given ? VENDORS[type].settings.apiKey : `upstreams.${name}.api_key_env in the models file`),
      },
    };
  });
  if (problems.length > 0) throw new ModelsFileError(problems);
  return configs;
}

const isVendor = (name: string): name is keyof EnvironmentUpstreams => name === 'openai' || name === 'anthropic';

const withTimeouts = (timeouts: Timeouts, entry: UpstreamEntry | undefined): Timeouts => ({
  connectMs: entry?.timeouts?.connect_ms ?? timeouts.connectMs,
  firstTokenMs: entry?.timeouts?.first_token_ms ?? timeouts.firstTokenMs,
  idleMs: entry?.timeouts?.idle_ms ?? timeouts.idleMs,
  totalMs: entry?.timeouts?.total_ms ?? timeouts.totalMs,
});

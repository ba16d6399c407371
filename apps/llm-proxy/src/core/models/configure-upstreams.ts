import type { UpstreamConfig } from '../upstreams/open-upstreams.js';
import type { Timeouts } from '../upstreams/transport/deadlines.js';
import { isServerType, UPSTREAM_TYPES, type ServerTypeName } from '../upstreams/upstream-types.js';
import type { ModelsFile, UpstreamEntry } from './models-file.js';
import { ModelsFileError } from './parse-models-file.js';

/** An upstream as the environment gives it. */
export interface EnvironmentUpstream {
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

export type EnvironmentUpstreams = Readonly<Partial<Record<ServerTypeName, EnvironmentUpstream>>>;

export interface ConfigureOptions {
  readonly environment: EnvironmentUpstreams;
  readonly file: ModelsFile;
  /** Where an upstream names none of its own. */
  readonly timeouts: Timeouts;
  /** The value of an environment variable; unset and empty are the same. */
  readonly readVariable: (name: string) => string | undefined;
}

/**
 * The upstreams of the environment, then those of the file; one of the file that is called `openai` or `anthropic` overrides what it names.
 * A key of the environment never goes to a URL of the file unless `api_key_env` says so. Throws `ModelsFileError`.
 */
export function configureUpstreams(options: ConfigureOptions): UpstreamConfig[] {
  const names = [...new Set([...Object.keys(options.environment), ...Object.keys(options.file.upstreams)])];
  const problems = Object.entries(options.file.upstreams).flatMap(([name, entry]) => findProblems(name, entry, options));
  if (problems.length > 0) throw new ModelsFileError(problems);
  return names.map((name) => configure(name, options));
}

function findProblems(name: string, { type, api_key_env: variable }: UpstreamEntry, { readVariable }: ConfigureOptions): string[] {
  const path = `upstreams.${name}`;
  const isUnset = variable !== undefined && (readVariable(variable) ?? '') === '';
  const remedy = 'set it, or leave the line out for a server that wants no key';
  return [
    ...(isServerType(name) && type !== name ? [`${path}.type must be ${name}: give a server of another type another name.`] : []),
    ...(isUnset ? [`${path}.api_key_env names ${variable}, which is not set: ${remedy}.`] : []),
  ];
}

function configure(name: string, { environment, file, timeouts, readVariable }: ConfigureOptions): UpstreamConfig {
  const entry = file.upstreams[name];
  const type = entry?.type ?? (name as ServerTypeName); // without an entry it is one of the environment
  const given = isServerType(name) ? environment[name] : undefined;
  const { vendor, usualQuirks } = UPSTREAM_TYPES[type].server;
  const isElsewhere = entry?.base_url !== undefined;
  const apiKey = entry?.api_key_env === undefined ? (isElsewhere ? undefined : given?.apiKey) : readVariable(entry.api_key_env);
  const baseUrl = entry?.base_url ?? given?.baseUrl ?? vendor.baseUrl;
  return {
    ...{ name, type, baseUrl, timeouts: withTimeouts(timeouts, entry) },
    quirks: { ...usualQuirks(new URL(baseUrl).hostname), ...entry?.quirks },
    apiKey,
    settings: {
      baseUrl: isElsewhere || !given ? `upstreams.${name}.base_url in the models file` : vendor.settings.baseUrl,
      apiKey: entry?.api_key_env ?? (given && !isElsewhere ? vendor.settings.apiKey : `upstreams.${name}.api_key_env in the models file`),
    },
  };
}

const withTimeouts = (timeouts: Timeouts, entry: UpstreamEntry | undefined): Timeouts => ({
  connectMs: entry?.timeouts?.connect_ms ?? timeouts.connectMs,
  firstTokenMs: entry?.timeouts?.first_token_ms ?? timeouts.firstTokenMs,
  idleMs: entry?.timeouts?.idle_ms ?? timeouts.idleMs,
  totalMs: entry?.timeouts?.total_ms ?? timeouts.totalMs,
});

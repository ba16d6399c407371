import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isPublicAddress } from '@codelab/egress';
import { findModelsFile, MODELS_FILE, StartError } from '@codelab/service-shell';
import { configureUpstreams, type EnvironmentUpstreams } from '../core/models/configure-upstreams.js';
import { createCatalog } from '../core/models/create-catalog.js';
import type { ModelCatalog } from '../core/models/model-catalog.js';
import type { ModelsFile } from '../core/models/models-file.js';
import { ModelsFileError, NO_MODELS_FILE, parseModelsFile } from '../core/models/parse-models-file.js';
import { UpstreamModels } from '../core/models/upstream-models.js';
import { openUpstreams } from '../core/upstreams/open-upstreams.js';
import type { ProxyConfig } from './config.js';

/** The models that can be asked, and what the models file says besides. */
export interface Models {
  readonly catalog: ModelCatalog;
  readonly file: ModelsFile;
  /** Names of the upstreams that are configured. */
  readonly upstreams: readonly string[];
  /** Closes every connection to an upstream. */
  close(): Promise<void>;
}

/** Reads the models file, if there is one, and opens the upstreams. Throws `StartError` that names every problem and its place. */
export async function openModels(
  config: ProxyConfig,
  readVariable: (name: string) => string | undefined,
  onListFailed: (upstream: string, error: unknown) => void = () => undefined,
): Promise<Models> {
  const { openAi, anthropic, model } = config;
  const environment: EnvironmentUpstreams = { ...(openAi && { openai: openAi }), ...(anthropic && { anthropic }) };
  const path = findModelsFile(config);
  try {
    const file =
      path === undefined ? NO_MODELS_FILE : parseModelsFile(await readFile(path, 'utf8'), { upstreams: Object.keys(environment) });
    const timeouts = {
      connectMs: config.connectTimeoutMs,
      firstTokenMs: config.firstTokenTimeoutMs,
      idleMs: config.idleTimeoutMs,
      totalMs: config.totalTimeoutMs,
    };
    const configs = configureUpstreams({ environment, file, timeouts, readVariable });
    const hiding = configs.map((each) => ({ ...each, hidesTrace: hidesTrace(config.traceUpstreams, each.baseUrl) }));
    const upstreams = openUpstreams(hiding, readProxy(readVariable));
    const wait = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });
    const listed = new UpstreamModels(upstreams.configured, { now: () => performance.now(), wait, onFailed: onListFailed });
    const catalog = createCatalog({ upstreams, listed, file, random: Math.random, defaultModel: model });
    return { catalog, file, upstreams: configs.map(({ name }) => name), close: () => upstreams.close() };
  } catch (cause) {
    const problems = cause instanceof ModelsFileError ? cause.problems : [(cause as Error).message];
    const lines = problems.map((problem) => `\n  - ${problem}`).join('');
    throw new StartError(`The models file ${JSON.stringify(path ?? MODELS_FILE)} can't be used:${lines}`, { cause });
  }
}

/** Whether an upstream gets no trace context: by default whoever isn't on our own network. */
function hidesTrace(told: ProxyConfig['traceUpstreams'], baseUrl: string): boolean {
  if (told !== 'own') return told === 'none';
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !host.endsWith('.localhost') && !host.endsWith('.internal') && !host.endsWith('.local');
}

/** The usual variables of an HTTP proxy. Small letters count first, as with other programs. */
function readProxy(readVariable: (name: string) => string | undefined) {
  const read = (name: string) => readVariable(name.toLowerCase()) ?? readVariable(name);
  const [httpProxy, httpsProxy, noProxy] = [read('HTTP_PROXY'), read('HTTPS_PROXY'), read('NO_PROXY')];
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  return { httpProxy, httpsProxy, noProxy };
}

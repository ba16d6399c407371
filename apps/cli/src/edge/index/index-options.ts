import type { CodeIndexOptions } from '@codelab/workspace';
import { readCliConfig, type CliConfig } from '../config.js';
import { localToken } from '../local-token.js';
import { readSettings } from '../user-config/read-settings.js';
import { embeddingsClient } from './embeddings-client.js';

const LOCAL_PORT = 8002;
const LOCAL_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

const tokenFor = (url: string, config: CliConfig): Promise<string> | string | undefined =>
  config.token ?? (LOCAL_HOST.test(new URL(url).hostname) ? localToken(config) : undefined);

/** How this user has workspaces indexed; nothing, if not at all. */
export function indexOptions(config: CliConfig = readCliConfig()): CodeIndexOptions | undefined {
  const { index = 'on', embeddings_model: model, embeddings_url: given } = readSettings(config);
  if (index === 'off') return undefined;
  if (model === undefined) return {};
  const url = (given ?? `http://127.0.0.1:${String(config.llmProxyPort ?? LOCAL_PORT)}/v1`).replace(/\/+$/, '');
  return { embeddings: embeddingsClient({ url, model, token: async () => tokenFor(url, config) }) };
}

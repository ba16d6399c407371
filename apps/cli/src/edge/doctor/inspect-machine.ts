import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { checkNode, ensureDataDir } from '@codelab/service-shell';
import { judgeProgram, type Finding } from '../../core/doctor/findings.js';
import { PROVIDER_VARIABLES, setVariables, type CliConfig } from '../config.js';
import { needsOfChat, planPrograms } from '../programs/plan-programs.js';
import { programsDirectory } from '../programs/program-path.js';
import { isPortFree } from '../stack/free-port.js';
import { findLocalStack } from '../stack/local-stack.js';
import { inspectRedis } from './inspect-redis.js';
/** Everything that CodeLab needs of this machine, in the order in which it needs it. */
export async function inspectMachine(config: CliConfig): Promise<readonly Finding[]> {
  const found = await Promise.all([
    Promise.resolve([inspectNode()]),
    inspectPrograms(config),
    inspectDataDir(config.dataDir),
    config.redisUrl === undefined ? Promise.resolve([]) : inspectRedis(config.redisUrl, config.quotaOwnerBytes),
    inspectStack(config),
    Promise.resolve([inspectProviders()]),
  ]);
  return found.flat();
}

function inspectNode(): Finding {
  const wrong = checkNode(process.versions.node);
  if (wrong) return { state: 'wrong', subject: 'node', found: process.versions.node, remedy: wrong };
  return { state: 'right', subject: 'node', found: process.versions.node };
}

/** The plan that `codelab chat` would follow. */
async function inspectPrograms(config: CliConfig): Promise<readonly Finding[]> {
  const planned = await planPrograms(await needsOfChat(config));
  return planned.map(({ need, plan }) => judgeProgram(need, plan, programsDirectory(config.dataDir)));
}

async function inspectDataDir(dataDir: string): Promise<readonly Finding[]> {
  const subject = 'data directory';
  try {
    await ensureDataDir(dataDir);
    await access(dataDir, constants.W_OK);
    return [{ state: 'right', subject, found: dataDir }];
  } catch {
    return [
      { state: 'wrong', subject, found: `${dataDir} can't be written`, remedy: 'set CODELAB_DATA_DIR to a folder that you can write' },
    ];
  }
}

const listUrls = (services: readonly { readonly url: string }[]): string => services.map(({ url }) => url).join(', ');

/** The stack that runs; without one, the ports and the Redis that it would take. */
async function inspectStack(config: CliConfig): Promise<readonly Finding[]> {
  const stack = await findLocalStack(config.dataDir);
  if (stack) {
    const running: Finding = {
      state: 'right',
      subject: 'local stack',
      found: `answers on ${listUrls(stack.gateways)}; llm-proxy on ${listUrls(stack.proxies)}`,
    };
    return [running, ...(config.redisUrl === undefined ? await inspectRedis(stack.redis.url, config.quotaOwnerBytes) : [])];
  }
  const ports = [config.gatewayPort ?? 8000, config.runtimePort ?? 8001, config.llmProxyPort ?? 8002].filter((port) => port !== 0);
  const taken = (await Promise.all(ports.map(async (port) => ((await isPortFree(port)) ? [] : [port])))).flat();
  const idle: Finding = {
    state: 'note',
    subject: 'local stack',
    found: 'none runs',
    remedy: '`codelab up` starts one; `codelab chat` does so by itself',
  };
  if (taken.length === 0) return [idle, { state: 'right', subject: 'ports', found: `${ports.join(', ')} are free` }];
  const remedy = '`codelab up` needs them: free them, or set GATEWAY_PORT, RUNTIME_PORT, LLM_PROXY_PORT (0 takes any free one)';
  return [idle, { state: 'note', subject: 'ports', found: `${taken.join(', ')} in use by other programs`, remedy }];
}

function inspectProviders(): Finding {
  const set = setVariables(PROVIDER_VARIABLES);
  const subject = 'model provider';
  if (set.length > 0) return { state: 'right', subject, found: `${set.join(', ')} set` };
  const remedy = 'set OPENAI_API_KEY or ANTHROPIC_API_KEY, or OPENAI_BASE_URL for a server of your own such as Ollama';
  return { state: 'note', subject, found: 'no key: the built-in offline model answers', remedy };
}

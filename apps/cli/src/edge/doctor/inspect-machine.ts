import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { checkNode, ensureDataDir } from '@codelab/service-shell';
import { findKernel } from '@codelab/workspace';
import { chosenKernel } from '../user-config/read-settings.js';
import { judgeProgram, type Finding } from '../../core/doctor/findings.js';
import { PROVIDER_VARIABLES, setVariables, type CliConfig } from '../config.js';
import { needsOfChat, planPrograms } from '../programs/plan-programs.js';
import { programsDirectory } from '../programs/program-path.js';
import { isPortFree } from '../stack/free-port.js';
import { inspectToolsFile } from '../stack/tools-file.js';
import { findLocalStack } from '@codelab/client/local-stack';
import { judgeRedis, judgeStored } from '../../core/doctor/judge-redis.js';
import { toRedisAddress } from '../../core/stack/redis-address.js';
import type { RespValue } from '../../core/stack/resp.js';
import { askRedis } from '../stack/ask-redis.js';

/** What services add up: bytes of all sessions, and the person who stores most. */
const STORED = [
  ['HGET', 'cl:{stored}:tenants', 'sum'],
  ['ZREVRANGE', 'cl:{stored}:owners', '0', '0', 'WITHSCORES'],
];

/** Whether the Redis at `url` answers, and what it promises. Its password is not shown. */
async function inspectRedis(url: string, ownerQuota: number): Promise<readonly Finding[]> {
  const subject = 'Redis';
  const address = toRedisAddress(url);
  if (!address)
    return [{ state: 'note', subject, found: 'REDIS_URL names several servers: not looked at', remedy: 'codelab doctor --deep' }];
  const commands = [['INFO'], ['CONFIG', 'GET', 'appendonly'], ['CONFIG', 'GET', 'appendfsync'], ...STORED];
  try {
    const [info, appendonly, appendfsync, total, largest] = await askRedis(address, commands);
    if (info instanceof Error) throw info;
    const said = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(typeof info === 'string' ? info : '')?.[1];
    const facts = { version: said('redis_version'), appendonly: configured(appendonly), appendfsync: configured(appendfsync) };
    return [
      { state: 'right', subject, found: `answers on ${address.shown}` },
      ...judgeRedis({ ...facts, maxmemoryPolicy: said('maxmemory_policy') }),
      judgeStored({
        total: bytes(total),
        largestOwner: bytes(Array.isArray(largest) ? (largest as readonly RespValue[])[1] : undefined),
        ownerQuota,
      }),
    ];
  } catch (error) {
    const remedy = 'start it, correct REDIS_URL, or unset it to have a private one started';
    return [{ state: 'wrong', subject, found: `no answer from ${address.shown} (${(error as Error).message})`, remedy }];
  }
}

/** A sum that isn't there is that of nothing. */
const bytes = (answer: RespValue | undefined): number => (typeof answer === 'string' ? Number(answer) : 0);

/** `CONFIG GET` answers name and value, or an error where it is forbidden. */
function configured(answer: RespValue | undefined): string | undefined {
  const value: unknown = Array.isArray(answer) ? answer[1] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Everything that CodeLab needs of this machine, in the order in which it needs it. */
export async function inspectMachine(config: CliConfig): Promise<readonly Finding[]> {
  const found = await Promise.all([
    Promise.resolve([inspectNode()]),
    inspectPrograms(config),
    inspectDataDir(config.dataDir),
    inspectKernel(),
    config.redisUrl === undefined ? Promise.resolve([]) : inspectRedis(config.redisUrl, config.quotaOwnerBytes),
    inspectStack(config),
    inspectToolsFile(config),
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

/** A kernel for cells, as a chat in this folder would find it. */
async function inspectKernel(): Promise<readonly Finding[]> {
  const [subject, choice] = ['notebook kernel', chosenKernel()];
  if (choice !== undefined) return [{ state: 'right', subject, found: `${choice.python ?? choice.name!}, as config.yaml says` }]; // one of them
  const found = await findKernel(process.cwd());
  if (found !== undefined) return [{ state: 'right', subject, found }];
  const remedy = 'pip install ipykernel · Debian, Ubuntu: apt-get install python3-ipykernel';
  return [{ state: 'note', subject, found: 'none: models are offered no run_cell', remedy }];
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

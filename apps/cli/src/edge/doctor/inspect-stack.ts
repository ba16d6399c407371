import type { StoreInspection } from '@codelab/bus';
import { inspectStore } from '@codelab/bus/redis';
import { findLocalStack } from '@codelab/client/local-stack';
import { judgeDeep } from '../../core/doctor/deep/judge-deep.js';
import type { Probe } from '../../core/doctor/deep/judge-services.js';
import type { Finding } from '../../core/doctor/findings.js';
import { CommandError } from '../../core/command-error.js';
import type { CliConfig } from '../config.js';

/** Time for a service to answer. */
const PROBE_MS = 2_000;

/**
 * A deep look at a running stack: at the Redis that `redisUrl`, `REDIS_URL` or the local stack names, at all that reports there, and at the
 * services at `urls` and of the local stack. Throws `CommandError` where there is nothing to look at.
 */
export async function inspectStack(
  config: CliConfig,
  { redisUrl, urls }: { readonly redisUrl?: string; readonly urls: readonly string[] },
): Promise<readonly Finding[]> {
  const named = redisUrl ?? config.redisUrl;
  const stack = named === undefined ? await findLocalStack(config.dataDir) : undefined;
  const url = named ?? stack?.redis.url;
  if (url === undefined)
    throw new CommandError('No stack runs here: start one with `codelab up`, or name its Redis with --redis or REDIS_URL.');
  const own = stack === undefined ? [] : [...stack.gateways, ...stack.runtimes, ...stack.proxies].map((service) => service.url);
  const [inspection, probes] = await Promise.all([
    inspectStore(url).catch((error: Error) => error),
    Promise.all([...new Set([...own, ...urls])].map(probe)),
  ]);
  if (inspection instanceof Error) {
    const remedy = 'see that it runs and that this machine may reach it, and that the password in the address is right';
    return [{ state: 'wrong', subject: 'Redis', found: `no answer (${inspection.message})`, remedy }];
  }
  return judgeDeep({ inspection, probes, quotas: quotasOf(inspection, config) });
}

/** As the gateways are set. */
function quotasOf({ work }: StoreInspection, config: CliConfig) {
  const gateway = 'problem' in work ? undefined : work.services.find(({ service }) => service === 'gateway');
  const read = (name: string): number | undefined => {
    const value = gateway?.settings.find((setting) => setting.name === name)?.value;
    return value === undefined ? undefined : Number(value);
  };
  return { ownerBytes: read('CODELAB_QUOTA_OWNER_BYTES') ?? config.quotaOwnerBytes, tenantBytes: read('CODELAB_QUOTA_TENANT_BYTES') ?? 0 };
}

async function probe(base: string): Promise<Probe> {
  const url = base.replace(/\/+$/, '');
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(PROBE_MS) });
    const body = (await answer.json().catch(() => ({}))) as { readonly waiting_for?: readonly string[] };
    return { url, status: answer.status, waitingFor: body.waiting_for };
  } catch (error) {
    const { cause, name, message } = error as Error;
    return {
      url,
      problem: name === 'TimeoutError' ? `nothing within ${PROBE_MS} ms` : ((cause as NodeJS.ErrnoException | undefined)?.code ?? message),
    };
  }
}

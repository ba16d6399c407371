import type { DynamicModule } from '@nestjs/common';
import { Egress, parseEgressAllow } from '@codelab/egress';
import { NO_SECRETS } from '@codelab/tools';
import { createBus } from '@codelab/bus/redis';
import { ConfigError, type ServiceContext } from '@codelab/service-shell';
import { RegisteredTools } from '../core/server-tools/registered-tools.js';
import { readToolLimits } from '../core/uses/tool-limits.js';
import type { RuntimeConfig } from './config.js';
import { PrometheusMeter } from './metrics.js';
import { startRuntime } from './start-runtime.js';
import { openWebTools } from './web-tools.js';

class AgentRuntimeModule {}

/**
 * Wires the runtime into its process. It has no endpoint of its own: sessions come by wakes and sweeps. Told to stop, it takes no more of
 * them, hands over what it holds, and then lets go of Redis.
 */
export async function agentRuntimeModule(context: ServiceContext<RuntimeConfig>): Promise<DynamicModule> {
  const { config, logger, metrics, readiness, drain } = context;
  const bus = createBus({ url: config.redisUrl, logger });
  drain.on('close', 'redis', () => bus.close());
  readiness.follow('redis', bus);
  const egress = openEgress(config.egressAllow);
  drain.on('close', 'egress', () => egress.close());
  const web = openWebTools(egress, config);
  drain.on('close', 'web tools', () => web.close());
  const runtime = await startRuntime({
    bus,
    sources: [web.source, new RegisteredTools({ serverTools: bus.serverTools, egress, secretsOf: () => NO_SECRETS })],
    log: logger,
    meter: new PrometheusMeter(metrics),
    limits: {
      maxRounds: config.maxRounds,
      turnTimeoutMs: config.turnTimeoutMs,
      approvalTimeoutMs: config.approvalTimeoutMs,
      defaultModel: config.model ?? '',
      defaultVocabulary: config.vocabulary,
      tools: readToolLimits(config.toolLimits),
      taskBudget: {
        steps: config.taskMaxSteps,
        tokens: config.taskMaxTokens || undefined,
        costUsd: config.taskMaxCostUsd || undefined,
      },
    },
    lingerMs: config.lingerMs,
    maxHotSessions: config.maxHotSessions,
  });
  drain.on('stop', 'wakes', () => runtime.stopTaking());
  drain.on('finish', 'sessions', (signal) => runtime.handOver(signal));
  return { module: AgentRuntimeModule };
}

/** The one way out to addresses that others name. Throws `ConfigError` where what is allowed can't be read. */
function openEgress(allowed: string | undefined): Egress {
  try {
    return new Egress({ allow: parseEgressAllow(allowed ?? '') });
  } catch (error) {
    throw new ConfigError([`CODELAB_EGRESS_ALLOW is not valid: ${(error as Error).message}.`]);
  }
}

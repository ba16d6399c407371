import type { DynamicModule } from '@nestjs/common';
import { Egress, type EgressAllow, parseEgressAllow } from '@codelab/egress';
import type { Owner } from '@codelab/bus';
import { createBus } from '@codelab/bus/redis';
import { ConfigError, reportService, type ServiceContext } from '@codelab/service-shell';
import { RegisteredTools } from '../core/server-tools/registered-tools.js';
import { readToolLimits } from '../core/uses/tool-limits.js';
import { readVariable, type RuntimeConfig } from './config.js';
import { PrometheusMeter } from './metrics.js';
import { fillHeader } from '../core/server-tools/operator/fill-header.js';
import { OperatorEgress } from '../core/server-tools/operator/operator-egress.js';
import { operatorSecrets } from '../core/server-tools/operator/operator-secrets.js';
import { UrlTools } from '../core/server-tools/operator/url-tools.js';
import { openMcp } from './open-mcp.js';
import { keepHouse } from './keep-house.js';
import { publishTools } from './publish-tools.js';
import { openToolsFile } from './tools-file.js';
import { startRuntime } from './start-runtime.js';
import { openWebTools } from './web-tools.js';

class AgentRuntimeModule {}

/**
 * Wires the runtime into its process. It has no endpoint of its own: sessions come by wakes and sweeps. Told to stop, it takes no more of
 * them, hands over what it holds, and then lets go of Redis.
 */
export async function agentRuntimeModule(context: ServiceContext<RuntimeConfig>): Promise<DynamicModule> {
  const { config, logger, metrics, readiness, drain, tracing } = context;
  const bus = createBus({ url: config.redisUrl, ...config.retention, longStringUnits: config.shareFromCharacters, logger });
  drain.on('close', 'redis', () => bus.close());
  readiness.follow('redis', bus);
  const allow = readAllowed(config.egressAllow);
  const egress = new Egress({ allow });
  drain.on('close', 'egress', () => egress.close());
  const operatorEgress = new OperatorEgress(allow);
  drain.on('close', 'egress of the tools file', () => operatorEgress.close());
  const file = await openToolsFile(config, { logger, metrics });
  const fill = (text: string) => fillHeader(text, { secrets: file.secrets, readVariable });
  const web = openWebTools(egress, config, file.search && { entry: file.search, variable: readVariable, fill });
  drain.on('close', 'web tools', () => web.close());
  const mcp = openMcp(file, { revisions: bus.toolRevisions, logger, metrics, version: context.identity.version });
  drain.on('close', 'mcp servers', () => mcp.close());
  const secretsOf = (owner: Owner) => operatorSecrets(file, readVariable, owner);
  const byUrl = new UrlTools({ file, egressFor: (url) => operatorEgress.for(url), readVariable });
  const runtime = await startRuntime({
    bus,
    sources: [web.source, byUrl, mcp.source, new RegisteredTools({ serverTools: bus.serverTools, egress, secretsOf, mcp: mcp.source })],
    log: logger,
    tracing,
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
  drain.on('stop', 'published tools', publishTools(bus.publishedTools, [web.source, byUrl, mcp.source], logger));
  reportService(context, bus.serviceReports);
  drain.on('stop', 'janitor', await keepHouse(bus.janitor, { ...config.house, metrics, log: logger }));
  drain.on('stop', 'wakes', () => runtime.stopTaking());
  drain.on('finish', 'sessions', (signal) => runtime.handOver(signal));
  return { module: AgentRuntimeModule };
}

/** The private addresses that may be reached, whoever names them. Throws `ConfigError` where that can't be read. */
function readAllowed(allowed: string | undefined): EgressAllow {
  try {
    return parseEgressAllow(allowed ?? '');
  } catch (error) {
    throw new ConfigError([`CODELAB_EGRESS_ALLOW is not valid: ${(error as Error).message}.`]);
  }
}

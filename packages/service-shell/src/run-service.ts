import { ConfigError } from './config/read-config.js';
import type { ServiceConfig } from './config/service-config.js';
import { checkNode } from './check-node.js';
import { createLogger, type Logger } from './logger.js';
import { toSupervisor, type RunningService, type ServiceDefinition } from './service-definition.js';
import { StartError } from './start-error.js';
import { startService } from './start-service.js';

/**
 * The whole `main.ts` of a service: starts it, tells the supervisor where it listens and when it is ready, drains it on SIGTERM, SIGINT
 * or when the supervisor is gone, and ends the process. A second signal ends it at once. A fault (unhandled rejection, uncaught
 * exception) is logged and ends the process with 1: what is stored is taken over by others.
 */
export async function runService<C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> {
  const wrongNode = checkNode(process.versions.node);
  if (wrongNode) return refuse(wrongNode);
  endOnFault(createLogger(definition.name, 'fatal'));
  try {
    const starting = startService(definition);
    endOnSignal(starting);
    announce(await starting);
  } catch (error) {
    if (error instanceof StartError) return refuse(error.message, error.isPortTaken);
    if (error instanceof ConfigError) return refuse(error.message);
    throw error;
  }
}

/** One sentence for the person who started it, no stack; a supervisor gets it as a message instead. */
function refuse(sentence: string, portTaken = false): void {
  process.exitCode = 1;
  if (!toSupervisor({ type: 'failed', message: sentence, ...(portTaken && { portTaken }) })) process.stderr.write(`${sentence}\n`);
  else process.disconnect?.();
}

function announce({ context: { identity, logger, readiness }, port }: RunningService): void {
  logger.info({ event: 'service.listening', port });
  toSupervisor({ type: 'listening', port });
  const report = (ready: boolean) => {
    if (ready) logger.info({ event: 'service.ready' });
    else logger.info({ event: 'service.waiting', waiting_for: readiness.waitingFor, reasons: readiness.reasons });
    if (ready) toSupervisor({ type: 'ready' });
  };
  readiness.onChange(report);
  report(readiness.ready);
  process.title = `codelab ${identity.name}`;
}

function endOnFault(logger: Logger): void {
  const end = (err: unknown) => {
    logger.fatal({ event: 'service.fault', err });
    process.exit(1);
  };
  process.on('unhandledRejection', end);
  process.on('uncaughtException', end);
}

/** A signal that comes while the service still starts is obeyed as soon as it has. */
function endOnSignal(starting: Promise<RunningService>): void {
  let draining = false;
  const end = async (reason: string) => {
    if (draining) process.exit(1);
    draining = true;
    const service = await starting.catch(() => undefined); // why it failed is told by the one who started it
    if (!service) return;
    const { logger } = service.context;
    logger.info({ event: 'service.draining', reason });
    await service.stop();
    logger.info({ event: 'service.stopped' });
    process.exit(0);
  };
  process.on('SIGTERM', () => void end('SIGTERM'));
  process.on('SIGINT', () => void end('SIGINT'));
  process.on('disconnect', () => {
    if (!draining) void end('supervisor gone');
  });
}

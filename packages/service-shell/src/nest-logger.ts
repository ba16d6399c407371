import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own log lines as events of ours: `nest.message`, at `debug`, warnings and errors at their level. */
export function createNestLogger(logger: Logger): LoggerService {
  const write =
    (level: 'debug' | 'warn' | 'error' | 'fatal' | 'trace') =>
    (message: unknown, ...rest: unknown[]): void => {
      const context = rest.at(-1);
      const error = message instanceof Error ? message : rest.find((value) => value instanceof Error);
      logger[level]({ event: 'nest.message', context: typeof context === 'string' ? context : undefined, err: error }, toText(message));
    };
  return {
    log: write('debug'),
    error: write('error'),
    warn: write('warn'),
    debug: write('debug'),
    verbose: write('trace'),
    fatal: write('fatal'),
  };
}

function toText(message: unknown): string {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : JSON.stringify(message);
}

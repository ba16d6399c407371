import { destination, pino, stdTimeFunctions, type Logger } from 'pino';
import type { LogLevel } from './config/service-config.js';

export type { Logger };

/** Fields that never reach a log, wherever they stand. */
const SECRETS = [
  'token',
  'authorization',
  'password',
  'apiKey',
  'api_key',
  '*.token',
  '*.authorization',
  '*.password',
  '*.apiKey',
  '*.api_key',
];

/**
 * JSON on stderr, one event per line: `{"level":"info","time":"…","service":"gateway","pid":1,"event":"noun.fact",…}`.
 * Written synchronously, so the last line before a crash is there. stdout stays free for programs' answers.
 */
export function createLogger(service: string, level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, censor: '[hidden]' },
    },
    destination({ dest: 2, sync: true }),
  );
}

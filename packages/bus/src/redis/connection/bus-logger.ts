/** Where the bus says what happened to its connections; pino's shape. */
export interface BusLogger {
  info(fields: object): void;
  warn(fields: object): void;
  error(fields: object): void;
}

/** Says nothing. */
export const silentLogger: BusLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The wish to end, from wherever it comes. */
export interface StopRequest {
  /** Resolves once, at the first signal or call of `request`. */
  readonly requested: Promise<'stop'>;
  readonly request: () => void;
  /** Gives the signals back. */
  readonly dispose: () => void;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** SIGTERM, SIGINT and SIGHUP ask this process to end; the second one calls `force` and ends it with 1. */
export function waitForStop(force: () => void): StopRequest {
  let asked = false;
  let resolveRequested: (stop: 'stop') => void = () => {};
  const requested = new Promise<'stop'>((resolve) => (resolveRequested = resolve));
  const request = () => {
    asked = true;
    resolveRequested('stop');
  };
  const onSignal = () => {
    if (!asked) return request();
    force();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const dispose = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  return { requested, request, dispose };
}

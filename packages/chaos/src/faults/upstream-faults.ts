import type { Fault, UpstreamFault } from './fault.js';

const STATUSES = [400, 401, 429, 500, 502, 503, 529];

const upstream = (name: string, weight: number, toFault: (amount: number) => UpstreamFault, amount: readonly [number, number]): Fault => ({
  ...{ name, weight, amount },
  ms: [0, 0],
  begin: ({ breakUpstream }, { amount: drawn }) => {
    const fault = toFault(drawn);
    breakUpstream(fault);
    return { target: 'upstream', detail: JSON.stringify(fault) };
  },
});

/** What a provider does to its next request. */
export const UPSTREAM_FAULTS: readonly Fault[] = [
  upstream('upstream-status', 2, (at) => ({ how: 'status', status: STATUSES[at] ?? 500 }), [0, STATUSES.length - 1]),
  upstream('upstream-stall', 1, (forMs) => ({ how: 'stall', forMs }), [500, 4_000]),
  upstream('upstream-stall-halfway', 1, (forMs) => ({ how: 'stall', forMs, afterChunks: 2 }), [500, 4_000]),
  upstream('upstream-slow', 1, (pauseMs) => ({ how: 'slow', pauseMs }), [20, 200]),
  upstream('upstream-cut', 2, (afterChunks) => ({ how: 'cut', afterChunks }), [0, 4]),
  upstream('upstream-truncated', 1, () => ({ how: 'truncated' }), [0, 0]),
];

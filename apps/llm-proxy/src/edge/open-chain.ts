import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@codelab/service-shell';
import type { ChainPorts } from '../core/chain/ask-chain.js';
import { Breakers } from '../core/chain/breaker.js';
import type { ProxyMetrics } from './metrics.js';

/** How upstreams are asked in this process, with what is told of it. */
export function openChain(logger: Logger, metrics: ProxyMetrics): ChainPorts {
  const now = () => performance.now();
  return {
    breakers: new Breakers({
      now,
      onBreaker: (upstream, state) => {
        metrics.breaker(upstream, state);
        logger.warn({ event: 'upstream.breaker', upstream, state });
      },
    }),
    now,
    wait: (ms, signal) => delay(ms, undefined, { signal }),
    random: Math.random,
    onRetry: ({ code }, delayMs, { upstream }) => {
      metrics.retried(code);
      logger.warn({ event: 'provider.retried', upstream: upstream.name, code, delay_ms: Math.round(delayMs) });
    },
    onFallback: ({ code }, from, to) => {
      metrics.fellBack(from.upstream.name, to.upstream.name);
      logger.warn({ event: 'provider.fallback', code, from: from.upstream.name, to: to.upstream.name, model: to.model });
    },
  };
}

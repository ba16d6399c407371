import { setTimeout as delay } from 'node:timers/promises';
import type { DynamicModule } from '@nestjs/common';
import { newId } from '@codelab/bus';
import { createBus, type Bus } from '@codelab/bus/redis';
import type { ServiceContext } from '@codelab/service-shell';
import { HistoryCache } from '../core/history-cache.js';
import { OfflineProvider } from '../core/providers/offline/index.js';
import { OpenAiProvider } from '../core/providers/openai/index.js';
import { defaultModel } from '@codelab/llm';
import type { StepPorts } from '../core/serve-step.js';
import type { ProxyConfig } from './config.js';
import { ProxyMetrics } from './metrics.js';
import { ModelWorker } from './model-worker.js';
import { readPrices } from './read-prices.js';

class LlmProxyModule {}

/** Wires the proxy. Told to stop, it lets go of the requests it serves, so that another replica asks again, and then of Redis. */
export async function llmProxyModule(context: ServiceContext<ProxyConfig>): Promise<DynamicModule> {
  const { config, logger, metrics: registry, readiness, drain } = context;
  const prices = await readPrices(config.pricesFile);
  const metrics = new ProxyMetrics(registry);
  const openai = openUpstream(config);
  if (openai) drain.on('close', 'upstream', () => openai.close());
  const model = defaultModel(config.model, openai !== undefined);
  logger.info({ event: 'proxy.configured', default_model: model, upstream: openai !== undefined });

  const bus = createBus({ url: config.redisUrl, logger });
  drain.on('close', 'redis', () => bus.close());
  const step: StepPorts = {
    routes: { offline: new OfflineProvider(), ...(openai && { openai }), defaultModel: model },
    histories: new HistoryCache(config.historyCacheCharacters),
    prices,
    now: () => performance.now(),
    wait: (ms, signal) => delay(ms, undefined, { signal }),
    random: Math.random,
    onRetry: ({ code }, delayMs) => {
      metrics.retried(code);
      logger.warn({ event: 'provider.retried', code, delay_ms: Math.round(delayMs) });
    },
  };
  const options = { consumer: newId('worker'), concurrency: config.concurrency };
  const worker = new ModelWorker({ models: bus.models, step, logger, metrics }, options);
  drain.on('stop', 'model requests', () => worker.close());
  const gate = readiness.gate('redis');
  whenever(bus, {
    ready: () => {
      gate.open();
      worker.begin();
    },
    away: () => gate.close(),
  });
  return { module: LlmProxyModule };
}

function openUpstream({ openAi, ...config }: ProxyConfig): OpenAiProvider | undefined {
  if (!openAi) return undefined;
  const timeouts = {
    connectMs: config.connectTimeoutMs,
    firstTokenMs: config.firstTokenTimeoutMs,
    idleMs: config.idleTimeoutMs,
    totalMs: config.totalTimeoutMs,
  };
  return new OpenAiProvider({ ...openAi, timeouts });
}

/** Calls what stands for the present status, now and at each change. */
function whenever(bus: Bus, reactions: Readonly<Record<ReturnType<Bus['status']>, () => void>>): void {
  bus.onStatus((status) => reactions[status]());
  reactions[bus.status()]();
}

import { expect, test, vi } from 'vitest';
import { BusError, sessionRef, type ClaimedStep, type StepRequest } from '@codelab/bus';
import type { Logger } from '@codelab/service-shell';
import { verifies } from '@codelab/testkit';
import { scriptedTarget } from '../core/chain/__fixtures__/scripted-target.js';
import { Breakers } from '../core/chain/breaker.js';
import { createCatalog } from '../core/models/create-catalog.js';
import { NO_MODELS_FILE } from '../core/models/parse-models-file.js';
import { HistoryCache } from '../core/step/history-cache.js';
import { ModelWorker, type WorkerPorts } from './model-worker.js';

const { upstream: OFFLINE } = scriptedTarget('offline', [[{ kind: 'finish', reason: 'stop' }]]);

type Serve = (step: ClaimedStep) => Promise<void>;

function setUp() {
  const served: Serve[] = [];
  const close = vi.fn(async () => undefined);
  const lines: unknown[] = [];
  const write = (line: unknown) => void lines.push(line);
  const outcomes: unknown[] = [];
  const ports: WorkerPorts = {
    models: { consume: async (serve) => (served.push(serve), { close }) },
    step: {
      catalog: createCatalog({ upstreams: { offline: OFFLINE, configured: [] }, file: NO_MODELS_FILE, random: () => 0 }),
      chain: { breakers: new Breakers({ now: () => 0 }), now: () => 0, wait: async () => undefined, random: () => 0 },
      histories: new HistoryCache(0),
      accounting: { admit: async () => ({ settle: () => undefined }) },
    },
    logger: { info: write, error: write } as unknown as Logger,
    metrics: { begun: () => undefined, ended: (outcome) => void outcomes.push(outcome?.outcome) },
  };
  return { worker: new ModelWorker(ports, { consumer: 'c', concurrency: 1 }), served, close, lines, outcomes };
}

const claimed = (readHistory: () => Promise<string[]>) =>
  ({
    ref: sessionRef({ tenant: 't', sub: 'u' }, 's'),
    stepId: 'step',
    attempt: 1,
    request: { model: '', system: '', tools: [], historyVersion: 1 } as unknown as StepRequest,
    signal: new AbortController().signal,
    readHistory,
    readBase: async () => undefined,
    publish: () => undefined,
    tellWait: () => undefined,
    tellThought: () => undefined,
    answer: async () => true,
    fail: async () => true,
  }) as ClaimedStep;

test('it consumes once, and not after it was closed', async () => {
  const { worker, served, close } = setUp();
  await worker.close();
  worker.begin();
  expect(served).toHaveLength(0);
  const second = setUp();
  second.worker.begin();
  second.worker.begin();
  await second.worker.close();
  expect([second.served.length, second.close.mock.calls.length, close.mock.calls.length]).toEqual([1, 1, 0]);
});

test('what ended is logged without content, and counted', async () => {
  const { worker, served, lines, outcomes } = setUp();
  worker.begin();
  await served[0]?.(claimed(async () => []));
  expect(lines).toEqual([
    expect.objectContaining({ event: 'step.ended', step_id: 'step', provider: 'offline', model: 'offline', outcome: 'answered' }),
  ]);
  expect(outcomes).toEqual(['answered']);
});

test(verifies('L1:faults', 'a fault is told by its name and place, never by its message'), async () => {
  const { worker, served, lines, outcomes } = setUp();
  worker.begin();
  const serving = served[0]?.(claimed(async () => ['{"content": my private prompt']));
  await expect(serving).rejects.toThrow('a fault in the proxy (SyntaxError)');
  expect(lines).toEqual([
    expect.objectContaining({ event: 'step.fault', name: 'SyntaxError', at: expect.arrayContaining([expect.stringMatching(/^at /)]) }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('private');
  expect(outcomes).toEqual([undefined]);
});

test('what the queue itself throws goes back as it is', async () => {
  const { worker, served, lines } = setUp();
  worker.begin();
  const away = new BusError('read-step-history: Redis is away');
  await expect(served[0]?.(claimed(() => Promise.reject(away)))).rejects.toBe(away);
  expect(lines).toEqual([]);
});

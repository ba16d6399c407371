import type { ClaimedStep } from '../src/model-queue.js';
import type { Bus } from '../src/redis/index.js';
import type { BusFixture } from './bus-fixture.js';
import type { TestSession } from './test-session.js';

/** A turn with a model request. */
export interface AskedModel {
  readonly session: TestSession;
  readonly stepId: string;
  readonly turnId: string;
}

export async function askModel(fixture: BusFixture): Promise<AskedModel> {
  const session = await fixture.session();
  await session.say('go');
  await session.take();
  const turnId = (await session.bus.store.readMeta(session.ref))?.turnId ?? '';
  const request = session.request(turnId);
  await session.commit({ history: ['{"n":0}', '{"n":1}'], modelRequest: request });
  return { session, stepId: request.stepId, turnId };
}

/** A consumer that hands its steps to the test, which says when they end. */
export interface TestConsumer {
  readonly steps: ClaimedStep[];
  readonly end: () => void;
  readonly close: () => Promise<void>;
}

export async function consumeAt(bus: Bus, consumer: string, concurrency = 4): Promise<TestConsumer> {
  const steps: ClaimedStep[] = [];
  const ends: (() => void)[] = [];
  const running = await bus.models.consume(
    (step) => {
      steps.push(step);
      return new Promise((resolve) => {
        ends.push(resolve);
        step.signal.addEventListener('abort', () => resolve());
      });
    },
    { consumer, concurrency },
  );
  return { steps, end: (): void => ends.splice(0).forEach((end) => end()), close: () => running.close() };
}

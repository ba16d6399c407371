import { MODEL_FACTS_PAUSE_MS } from '@codelab/bus';
import type { Bus } from '@codelab/bus/redis';
import type { ModelCatalog } from '../core/models/model-catalog.js';

/** How soon it is tried again where Redis was away. */
const AGAIN_MS = 2_000;

/**
 * Tells the runtimes what they must know of the models: now, as soon as the upstreams have said what they have, and every 30 s. Returns how to stop.
 */
export function publishFacts(bus: Pick<Bus, 'modelFacts'>, catalog: Pick<ModelCatalog, 'facts' | 'refresh'>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const publish = (): Promise<boolean> =>
    bus.modelFacts.publish(catalog.facts()).then(
      () => true,
      () => false, // Redis is away: whoever reads goes by the names of models meanwhile
    );
  const go = async (): Promise<void> => {
    const isThere = await publish();
    if (isThere && !isOver) await catalog.refresh();
    const isDone = isThere && (isOver || (await publish()));
    if (!isOver) timer = setTimeout(() => void go(), isDone ? MODEL_FACTS_PAUSE_MS : AGAIN_MS).unref();
  };
  void go();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

import { once } from 'node:events';
import type { Cluster } from 'ioredis';

/** How long a cluster may take to close its connections; one that had none does not say that it has. */
const CLOSES_WITHIN_MS = 1_000;

/**
 * Has a cluster, and its duplicates, keep what `connect` and `disconnect` promise. By itself (ioredis 6.0) one that is told to connect while it still
 * disconnects never says that it has ended; one that finds its nodes, but no slot served, as in a failover, tries again and leaves the promise open for
 * good; and one that is to come back stays away for good where a command on its way was sent to another node meanwhile: that node is known then, and
 * never connected, so there is always one left. Who waits for any of these waits for good: a worker of BullMQ took no job any more, a service was never
 * ready.
 */
export function orderly(cluster: Cluster): Cluster {
  const connect = cluster.connect.bind(cluster);
  const disconnect = cluster.disconnect.bind(cluster);
  const duplicate = cluster.duplicate.bind(cluster);
  let overdue: NodeJS.Timeout | undefined;
  const comeBack = (): void => {
    if (cluster.status === 'disconnecting') connect().catch(() => undefined); // it tries again by itself
  };
  cluster.setMaxListeners(0); // one for each that waits
  cluster.on('close', () => clearTimeout(overdue));
  return Object.assign(cluster, {
    connect: async (): Promise<void> => {
      const signal = AbortSignal.timeout(CLOSES_WITHIN_MS);
      if (cluster.status === 'disconnecting') await once(cluster, 'close', { signal }).catch(() => undefined);
      await orWhenOver(cluster, connect());
    },
    disconnect: (comesBack = false): void => {
      clearTimeout(overdue);
      disconnect(comesBack);
      if (comesBack) overdue = setTimeout(comeBack, CLOSES_WITHIN_MS);
    },
    duplicate: (...words: Parameters<Cluster['duplicate']>) => orderly(duplicate(...words)),
  });
}

/** As an attempt to connect ends, or as the attempts after it do. */
function orWhenOver(cluster: Cluster, attempt: Promise<void>): Promise<void> {
  let forget = (): void => undefined;
  const over = new Promise<void>((resolve, reject) => {
    const onEnd = (): void => reject(new Error('Connection is closed.'));
    cluster.once('ready', resolve).once('end', onEnd);
    forget = () => void cluster.off('ready', resolve).off('end', onEnd);
  });
  return Promise.race([attempt, over]).finally(forget);
}

import { once } from 'node:events';
import type { Cluster } from 'ioredis';

/** How long a cluster may take to close its connections; one that had none does not say that it has. */
const CLOSES_WITHIN_MS = 1_000;

/**
 * Has a cluster, and its duplicates, keep what `connect` promises. By itself (ioredis 6.0) one that is told to connect while it still disconnects never
 * says that it has ended; and one that finds its nodes, but no slot served, as in a failover, tries again and leaves the promise open for good. Who waits
 * for either waits for good: a worker of BullMQ took no job any more.
 */
export function orderly(cluster: Cluster): Cluster {
  const connect = cluster.connect.bind(cluster);
  const duplicate = cluster.duplicate.bind(cluster);
  cluster.setMaxListeners(0); // one for each that waits
  return Object.assign(cluster, {
    connect: async (): Promise<void> => {
      const signal = AbortSignal.timeout(CLOSES_WITHIN_MS);
      if (cluster.status === 'disconnecting') await once(cluster, 'close', { signal }).catch(() => undefined);
      await orWhenOver(cluster, connect());
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

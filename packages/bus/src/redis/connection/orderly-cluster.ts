import { once } from 'node:events';
import type { Cluster } from 'ioredis';

/** How long a cluster may take to close its connections; one that had none does not say that it has. */
const CLOSES_WITHIN_MS = 1_000;

/**
 * Has a cluster, and its duplicates, keep what `connect` and `disconnect` promise. By itself (ioredis 6.0) one that is told to connect while it still
 * disconnects never says that it has ended; one that finds its nodes, but no slot served, as in a failover, tries again and leaves the promise open for
 * good; and one that is to come back stays away for good where a command on its way was sent to another node meanwhile: that node is known then, and
 * never connected, so there is always one left. For the same reason one that is to go never says that it has ended; nor does one that had nothing to
 * close. Who waits for any of these waits for good: a worker of BullMQ took no job any more, a service was never ready.
 */
export function orderly(cluster: Cluster): Cluster {
  const connect = cluster.connect.bind(cluster);
  const disconnect = cluster.disconnect.bind(cluster);
  const duplicate = cluster.duplicate.bind(cluster);
  let overdue: NodeJS.Timeout | undefined;
  let isGoing = false;
  const comeBack = (): void => {
    if (cluster.status === 'disconnecting') connect().catch(() => undefined); // it tries again by itself
  };
  const leave = (isLeftAgain: boolean): void => {
    if (cluster.status !== 'disconnecting' && cluster.status !== 'close') return;
    if (isLeftAgain) cluster.status = 'wait'; // nothing was left to close: it ends like one that has not begun
    disconnect();
    overdue = setTimeout(leave, CLOSES_WITHIN_MS, true);
  };
  cluster.setMaxListeners(0); // one for each that waits
  cluster.on('close', () => (isGoing ? undefined : clearTimeout(overdue)));
  cluster.on('end', () => clearTimeout(overdue));
  return Object.assign(cluster, {
    connect: async (): Promise<void> => {
      isGoing = false;
      const signal = AbortSignal.timeout(CLOSES_WITHIN_MS);
      if (cluster.status === 'disconnecting') await once(cluster, 'close', { signal }).catch(() => undefined);
      await orWhenOver(cluster, connect());
    },
    disconnect: (comesBack = false): void => {
      // What failed late asks one that goes to come back.
      if (cluster.status === 'end' || (comesBack && isGoing)) return;
      isGoing = !comesBack;
      clearTimeout(overdue);
      disconnect(comesBack);
      freeSubscribers(cluster);
      overdue = comesBack ? setTimeout(comeBack, CLOSES_WITHIN_MS) : setTimeout(leave, CLOSES_WITHIN_MS, false);
    },
    duplicate: (...words: Parameters<Cluster['duplicate']>) => orderly(duplicate(...words)),
  });
}

/** What ioredis keeps to itself of the connections for sharded pub/sub. Where a version has it otherwise, nothing is freed. */
interface SubscriberGroup {
  isResetting?: boolean;
  pendingReset?: unknown;
}

/**
 * Has a cluster that disconnected make its subscribers anew. By itself it waits for good for those that were connecting as they were stopped, which tell
 * nobody any more, and until then makes no others: no channel could be subscribed again.
 */
function freeSubscribers(cluster: Cluster): void {
  const { shardedSubscribers: group } = cluster as unknown as { readonly shardedSubscribers?: SubscriberGroup };
  if (group?.isResetting !== true) return;
  group.isResetting = false;
  group.pendingReset = null;
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

import { BusError } from '../../bus-error.js';
import type { InspectedNode, InspectedServers, SilentServer } from '../../store-inspection.js';
import type { RedisPlace } from '../connection/redis-url.js';
import { askServer, nameOf, type ServerAddress } from './ask-server.js';
import { findClusterNodes } from './find-cluster-nodes.js';
import { findSentinelServers } from './find-sentinel-servers.js';
import { inspectNode } from './inspect-node.js';

/** Looks at each server of the store for itself. Throws `BusError` where none of them answers. */
export async function inspectServers(place: RedisPlace, withinMs: number): Promise<InspectedServers> {
  const found = await findServers(place, withinMs);
  const looks = await Promise.all(found.servers.map(look));
  const nodes = looks.filter((one): one is InspectedNode => 'roundTripMs' in one);
  const silent = looks.filter((one): one is SilentServer => 'problem' in one);
  if (nodes.length === 0 && found.sentinels === undefined) throw new BusError(`inspect-store: ${listProblems(silent)}`);
  return { nodes, silent, sentinels: found.sentinels, cluster: found.cluster };
}

/** Who belongs to the store, as those say who know. */
interface Found extends Pick<InspectedServers, 'sentinels' | 'cluster'> {
  readonly servers: readonly ServerAddress[];
}

async function findServers(place: RedisPlace, withinMs: number): Promise<Found> {
  if (place.kind === 'cluster') return findClusterNodes(place, withinMs);
  if (place.options.sentinels !== undefined) return findSentinelServers(place.options, withinMs);
  const { path, host, port, username, password, tls } = place.options;
  return { servers: [{ path, host, port, username, password, tls, withinMs }] };
}

const look = (server: ServerAddress): Promise<InspectedNode | SilentServer> =>
  askServer(server, (redis) => inspectNode(redis, nameOf(server))).catch(({ message }: Error) => ({
    address: nameOf(server),
    problem: message,
  }));

/** What each of them said, in one sentence. */
const listProblems = (silent: readonly SilentServer[]): string =>
  silent.length === 1 ? (silent[0]?.problem ?? '') : silent.map(({ address, problem }) => `${address}: ${problem}`).join(', ');

import type { Redis } from 'ioredis';
import type { InspectedCluster } from '../../store-inspection.js';
import type { RedisPlace } from '../connection/redis-url.js';
import { askServer, nameOf, type ServerAddress } from './ask-server.js';

/** Of every cluster. */
const SLOTS = 16_384;

/** A line of `CLUSTER NODES`. */
interface Node {
  readonly id: string;
  readonly address: ServerAddress;
  readonly flags: readonly string[];
  /** Of a replica: whom it follows. */
  readonly masterId: string;
  readonly hasSlots: boolean;
}

/** What one node says of the cluster. */
interface View {
  readonly address: string;
  readonly isOk: boolean;
  readonly uncoveredSlots: number;
  readonly nodes: readonly Node[];
}

type ClusterPlace = Extract<RedisPlace, { readonly kind: 'cluster' }>;

/** The nodes of a cluster, as those say that answer, and how it is. Where none answers, those that the URL names. */
export async function findClusterNodes(
  { nodes: seeds, options }: ClusterPlace,
  withinMs: number,
): Promise<{ readonly servers: readonly ServerAddress[]; readonly cluster?: InspectedCluster }> {
  const ask = async (servers: readonly ServerAddress[]): Promise<readonly View[]> => {
    const views = await Promise.all(servers.map((server) => askServer(server, (redis) => readView(redis, server)).catch(() => undefined)));
    return views.filter((view) => view !== undefined);
  };
  const named = seeds.map((seed) => ({ ...seed, ...options, withinMs }));
  const [first] = await ask(named);
  if (first === undefined) return { servers: named };
  const servers = first.nodes.map(({ address }) => address);
  const views = await ask(servers); // those that are cut off from the others see another cluster
  return {
    servers,
    cluster: {
      failing: views.filter(({ isOk }) => !isOk).map(({ address }) => address),
      uncoveredSlots: Math.max(first.uncoveredSlots, ...views.map(({ uncoveredSlots }) => uncoveredSlots)),
      withoutReplica: findMastersAlone(first.nodes),
    },
  };
}

const isUp = ({ flags }: Node): boolean => !flags.some((flag) => flag === 'fail' || flag === 'noaddr' || flag === 'handshake');

function findMastersAlone(nodes: readonly Node[]): readonly string[] {
  const followed = new Set(nodes.filter((node) => node.flags.includes('slave') && isUp(node)).map(({ masterId }) => masterId));
  return nodes
    .filter((node) => node.flags.includes('master') && node.hasSlots && !followed.has(node.id))
    .map(({ address }) => nameOf(address));
}

async function readView(redis: Redis, asked: ServerAddress): Promise<View> {
  const [info, lines] = (await Promise.all([redis.call('CLUSTER', 'INFO'), redis.call('CLUSTER', 'NODES')])) as [string, string];
  const said = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  return {
    address: nameOf(asked),
    isOk: said('cluster_state') === 'ok',
    uncoveredSlots: SLOTS - Number(said('cluster_slots_ok') ?? SLOTS) - Number(said('cluster_slots_pfail') ?? 0),
    nodes: lines
      .trim()
      .split('\n')
      .map((line) => toNode(line, asked)),
  };
}

/** `id 10.0.0.1:6379@16379,hostname flags master-id ping pong epoch link slots…`: certificates are for names, where there are any. */
function toNode(line: string, asked: ServerAddress): Node {
  const [id = '', place = '', flags = '', masterId = '', , , , , ...slots] = line.split(' ');
  const [, ip = '', port = '', hostname = ''] = /^(.*):(\d+)(?:@\d+)?(?:,([^,]*))?/.exec(place) ?? [];
  const host = (asked.tls === undefined ? ip : hostname || ip) || asked.host; // a node that never met another doesn't know its own
  return {
    ...{ id, masterId, flags: flags.split(','), hasSlots: slots.length > 0 },
    address: { ...asked, host, port: Number(port) },
  };
}

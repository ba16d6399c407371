import type { Redis, RedisOptions } from 'ioredis';
import { BusError } from '../../bus-error.js';
import type { InspectedSentinels } from '../../store-inspection.js';
import { askServer, nameOf, type ServerAddress } from './ask-server.js';

/** What a sentinel knows. */
interface Knowledge {
  readonly id: string;
  readonly master: Fields;
  readonly replicas: readonly Fields[];
  /** The others that watch the same master. */
  readonly sentinels: readonly Fields[];
  /** Why there can be no failover, as it sees it. */
  readonly problem?: string;
}

type Fields = ReadonlyMap<string, string>;
type Answer = { readonly address: ServerAddress } & ({ readonly knows: Knowledge } | { readonly problem: string });

/** The master and its replicas, as the sentinels name them, and how the sentinels are. Throws `BusError` where none of them answers. */
export async function findSentinelServers(
  options: RedisOptions,
  withinMs: number,
): Promise<{ readonly servers: readonly ServerAddress[]; readonly sentinels: InspectedSentinels }> {
  const { sentinels = [], name = '', sentinelUsername, sentinelPassword, sentinelTLS, username, password, tls } = options;
  const login = { username: sentinelUsername, password: sentinelPassword, tls: sentinelTLS, withinMs };
  const ask = async ({ host, port }: Pick<ServerAddress, 'host' | 'port'>): Promise<Answer> => {
    const address = { host, port, ...login };
    return askServer(address, (redis) => read(redis, name)).then(
      (knows) => ({ address, knows }),
      ({ message }: Error) => ({ address, problem: message }),
    );
  };
  const first = await Promise.all(sentinels.map(ask));
  const ids = new Set(first.flatMap((one) => ('knows' in one ? [one.knows.id] : [])));
  const addresses = new Set(first.map(({ address }) => nameOf(address)));
  const others = new Map<string, Fields>();
  for (const one of first) if ('knows' in one) for (const other of one.knows.sentinels) others.set(other.get('runid') ?? '', other);
  const more = [...others]
    .filter(([id, other]) => !ids.has(id) && !addresses.has(nameOf(addressOf(other))))
    .map(([, other]) => addressOf(other));
  const answers = [...first, ...(await Promise.all(more.map(ask)))];
  const answering = answers.flatMap((one) => ('knows' in one ? [one] : []));
  const silent = answers.flatMap((one) => ('problem' in one ? [{ address: nameOf(one.address), problem: one.problem }] : []));
  const [spokesman] = answering;
  if (spokesman === undefined) {
    const problems = silent.map(({ address, problem }) => `${address}: ${problem}`).join(', ');
    throw new BusError(`inspect-store: no sentinel answers for ${name} (${problems})`);
  }
  const { master, replicas, problem } = spokesman.knows;
  return {
    servers: [master, ...replicas].map((fields) => ({ ...addressOf(fields), username, password, tls, withinMs })),
    sentinels: {
      answering: answering.map(({ address }) => nameOf(address)),
      silent,
      quorum: Number(master.get('quorum')),
      problem,
    },
  };
}

const addressOf = (fields: Fields): { readonly host: string; readonly port: number } => ({
  host: fields.get('ip') ?? '',
  port: Number(fields.get('port')),
});

async function read(redis: Redis, name: string): Promise<Knowledge> {
  const [id, master, replicas, sentinels, problem] = await Promise.all([
    redis.call('SENTINEL', 'MYID'),
    redis.call('SENTINEL', 'MASTER', name),
    redis.call('SENTINEL', 'REPLICAS', name),
    redis.call('SENTINEL', 'SENTINELS', name),
    redis.call('SENTINEL', 'CKQUORUM', name).then(
      () => undefined,
      ({ message }: Error) => message,
    ),
  ]);
  return {
    ...{ id: String(id), master: toFields(master), problem },
    ...{ replicas: (replicas as unknown[]).map(toFields), sentinels: (sentinels as unknown[]).map(toFields) },
  };
}

/** Names and values in turn. */
const toFields = (reply: unknown): Fields => {
  const words = reply as readonly string[];
  return new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : [])));
};

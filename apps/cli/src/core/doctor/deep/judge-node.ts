import type { InspectedNode } from '@codelab/bus';
import type { Finding } from '../findings.js';
import { list, megabytes, NEAR, right } from './words.js';

const BEHIND_BYTES = 1_000_000;
const SLOW_MS = 20;
/** One core executes every command: from this share of it on latency grows in bursts. */
const BUSY_SHARE = 0.6;

/** One server of the store: what it is, what it keeps, how full and how busy it is, and how far its replicas are. */
export function judgeNode(node: InspectedNode, isOneOfMany: boolean): readonly Finding[] {
  const name = isOneOfMany ? `Redis ${node.address}` : 'Redis';
  return [
    judgeAnswer(name, node),
    judgePersistence(name, node),
    judgeMemory(name, node),
    ...judgeLoad(name, node),
    ...judgeReplicas(name, node),
  ];
}

function judgeAnswer(subject: string, { version, role, roundTripMs }: InspectedNode): Finding {
  const found = `${version ?? 'a version that it hides'}, ${role ?? 'unknown role'}, answers in ${roundTripMs.toFixed(1)} ms`;
  if (version !== undefined && Number.parseInt(version, 10) < 7)
    return { state: 'wrong', subject, found, remedy: 'use Redis 7.0 or newer, or Valkey 8 or newer' };
  if (roundTripMs <= SLOW_MS) return right(subject, found);
  return {
    state: 'note',
    subject,
    found,
    remedy: 'each step costs two round trips: move the services nearer to Redis, or look at SLOWLOG GET and LATENCY DOCTOR',
  };
}

function judgePersistence(name: string, { appendonly, appendfsync, appendStatus, snapshotStatus }: InspectedNode): Finding {
  const subject = `${name} persistence`;
  const broken = [appendStatus, snapshotStatus].find((status) => status !== undefined && status !== 'ok');
  if (broken !== undefined) {
    return {
      state: 'wrong',
      subject,
      found: `the last write to its disk failed (${broken})`,
      remedy: 'make room on its disk and look at its log: writes are refused meanwhile',
    };
  }
  if (appendonly === undefined)
    return {
      state: 'note',
      subject,
      found: 'it does not say',
      remedy: 'see that appendonly is yes and appendfsync always: what is weaker loses sessions',
    };
  if (appendonly !== 'yes')
    return {
      state: 'wrong',
      subject,
      found: 'appendonly no: a restart loses sessions',
      remedy: 'CONFIG SET appendonly yes, then CONFIG SET appendfsync always, and CONFIG REWRITE',
    };
  if (appendfsync === 'always') return right(subject, 'append-only file, written before each answer');
  return {
    state: 'note',
    subject,
    found: `appendfsync ${appendfsync ?? 'unknown'}: a crash loses the last second`,
    remedy: 'CONFIG SET appendfsync always, and CONFIG REWRITE',
  };
}

function judgeMemory(name: string, { maxmemoryPolicy, usedBytes = 0, maxBytes = 0, evictedKeys = 0 }: InspectedNode): Finding {
  const subject = `${name} memory`;
  const of = maxBytes === 0 ? 'without maxmemory' : `of ${megabytes(maxBytes)}`;
  const found = `${megabytes(usedBytes)} ${of}, ${maxmemoryPolicy ?? 'an unknown policy'}`;
  if (evictedKeys > 0)
    return {
      state: 'wrong',
      subject,
      found: `${found}; ${evictedKeys} keys were thrown away`,
      remedy: 'CONFIG SET maxmemory-policy noeviction, and give it more memory: sessions are damaged already',
    };
  if (maxmemoryPolicy !== undefined && maxmemoryPolicy !== 'noeviction')
    return {
      state: 'wrong',
      subject,
      found: `${found}: it throws sessions away when memory is short`,
      remedy: 'CONFIG SET maxmemory-policy noeviction',
    };
  if (maxBytes > 0 && usedBytes > NEAR * maxBytes)
    return {
      state: 'wrong',
      subject,
      found: `${found}: it will soon refuse writes`,
      remedy: 'raise maxmemory, delete sessions, or lower CODELAB_QUOTA_TENANT_BYTES',
    };
  if (maxBytes === 0)
    return { state: 'note', subject, found, remedy: 'set maxmemory above what the quotas allow and below what the machine has' };
  return right(subject, found);
}

function judgeLoad(name: string, { busyShare }: InspectedNode): readonly Finding[] {
  if (busyShare === undefined) return [];
  const subject = `${name} load`;
  const found = `${Math.round(100 * busyShare)} % of a core`;
  if (busyShare <= BUSY_SHARE) return [right(subject, found)];
  return [
    {
      state: 'note',
      subject,
      found: `${found}: answers come late in bursts`,
      remedy: 'look at SLOWLOG GET and INFO commandstats; if it is the load of the services, go to a Cluster (docs/scaling.md)',
    },
  ];
}

function judgeReplicas(name: string, { replicas, masterLink }: InspectedNode): readonly Finding[] {
  const subject = `${name} replication`;
  const late = replicas.filter(({ state, behindBytes }) => state !== 'online' || behindBytes > BEHIND_BYTES);
  if (masterLink !== undefined && masterLink !== 'up')
    return [
      {
        state: 'wrong',
        subject,
        found: 'this replica does not hear its master',
        remedy: 'look at its log and at the network to its master: a failover to it would lose sessions',
      },
    ];
  if (late.length > 0) {
    const found = `${list(late.map(({ address, state, behindBytes }) => `${address} is ${state}, ${megabytes(behindBytes)} behind`))}`;
    return [
      {
        state: 'note',
        subject,
        found,
        remedy: 'a failover loses what it lacks: raise repl-backlog-size, or look at its load and the network',
      },
    ];
  }
  return replicas.length === 0 ? [] : [right(subject, `${replicas.length} up to date`)];
}

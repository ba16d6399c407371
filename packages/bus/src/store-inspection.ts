import type { QueueDepth, ServiceReport } from './service-reports.js';

/** One server of the store, as it describes itself. What it doesn't tell (managed services hide some) is absent. */
export interface InspectedNode {
  readonly address: string;
  readonly role?: string;
  readonly version?: string;
  readonly appendonly?: string;
  readonly appendfsync?: string;
  readonly maxmemoryPolicy?: string;
  readonly usedBytes?: number;
  /** 0: as much as the machine has. */
  readonly maxBytes?: number;
  readonly evictedKeys?: number;
  /** Whether the last write of the append-only file and of the snapshot went well: `ok`, or what Redis says. */
  readonly appendStatus?: string;
  readonly snapshotStatus?: string;
  /** Of a master: its replicas, with the bytes that each is behind. */
  readonly replicas: readonly { readonly address: string; readonly state: string; readonly behindBytes: number }[];
  /** Of a replica: whether it hears its master. */
  readonly masterLink?: string;
  /** Its clock minus ours, in milliseconds, give or take half a round trip. */
  readonly clockMs: number;
  readonly roundTripMs: number;
  /** How much of a core it used while it was looked at; 1 is all of one. */
  readonly busyShare?: number;
}

/** A server or a sentinel that did not answer, and why. */
export interface SilentServer {
  readonly address: string;
  readonly problem: string;
}

/** The sentinels that watch a master. */
export interface InspectedSentinels {
  /** Addresses of those that answer. */
  readonly answering: readonly string[];
  readonly silent: readonly SilentServer[];
  /** How many have to agree that the master is gone. */
  readonly quorum?: number;
  /** Why they can agree on no failover, in the words of one of them; absent where they can. */
  readonly problem?: string;
}

/** A cluster, as its nodes see it. */
export interface InspectedCluster {
  /** Nodes that answer and say that the cluster is not well. */
  readonly failing: readonly string[];
  /** Slots that nobody serves. */
  readonly uncoveredSlots: number;
  /** Masters that nobody could take over from. */
  readonly withoutReplica: readonly string[];
}

/** A process that reports, and how its clock goes. */
export interface InspectedService extends Omit<ServiceReport, 'numbers' | 'histograms'> {
  /** Its clock minus that of Redis when it last reported, in milliseconds; absent where nobody can say. */
  readonly clockMs?: number;
}

/** A session that somebody should have taken, or whose lease nobody can hold. */
export interface StuckSession {
  readonly sid: string;
  /** `overdue`: its time has come and nobody took it. `held`: by a process that gives no sign of life. `far`: its lease ends later than any lease does. */
  readonly why: 'overdue' | 'held' | 'far';
  /** How long since its time came, or until its lease ends, in milliseconds. */
  readonly ms: number;
  readonly worker?: string;
}

/** What is stored, what waits, and who works on it. */
export interface InspectedWork {
  readonly services: readonly InspectedService[];
  readonly queues: readonly QueueDepth[];
  /** Wakes that wait for a runtime. */
  readonly wakes: number;
  /** Of those that were looked at: 2,000 of each part of the queue at most, those first whose time is next. */
  readonly stuck: readonly StuckSession[];
  readonly lookedAt: number;
  readonly stored: { readonly totalBytes: number; readonly largestOwnerBytes: number; readonly largestTenantBytes: number };
}

/** The servers that a store consists of. */
export interface InspectedServers {
  /** Those that answer: the one, the master and its replicas, or the nodes of a cluster. */
  readonly nodes: readonly InspectedNode[];
  readonly silent: readonly SilentServer[];
  readonly sentinels?: InspectedSentinels;
  readonly cluster?: InspectedCluster;
}

/** A look at a store and at those that work with it. Nothing in it is content. */
export interface StoreInspection extends InspectedServers {
  /** Or why it can't be read, though a server answers. */
  readonly work: InspectedWork | { readonly problem: string };
}

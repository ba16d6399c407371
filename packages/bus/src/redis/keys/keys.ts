import type { Owner, Sid } from '../../session-ref.js';
import { ownerHash } from '../../session-ref.js';
import type { RedisPlace } from '../connection/redis-url.js';
import { fillKey, type KeyKind } from './key-kind.js';
import { OWNER_KINDS } from './owner-kinds.js';
import { SESSION_KINDS } from './session-kinds.js';
import { SYSTEM_KINDS } from './system-kinds.js';

/** Sets of sessions with work. */
export const DUE_SHARDS = 16;
/** Streams of model requests, and queues of wakes: one of each on one server, and in a cluster several, so that no node has all of them. */
const QUEUE_SHARDS = { server: 1, cluster: 4 } as const;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** What stands behind the braces of a key of a session. */
const nounOf = ({ key }: KeyKind): string => key.slice('cl:{sid}:'.length);

const NOUNS = Object.fromEntries(Object.entries(SESSION_KINDS).map(([name, kind]) => [name, nounOf(kind)])) as Record<
  keyof typeof SESSION_KINDS,
  string
>;

/** Before the name of a model request. */
const STEP = NOUNS.step.slice(0, NOUNS.step.indexOf('<'));

/** The keys of each session script, in its order. */
const OF_SCRIPTS = ['meta', 'log', 'inbox', 'calls', 'queue', 'messages', 'history', 'todos', 'rules', 'audit'] as const;

/**
 * Keys and channels of one session: all in one slot. Each is written when it is asked for: kept for every session they would take more memory
 * than its state, and written all at once they are most of a step's garbage.
 */
export class SessionKeys {
  constructor(private readonly prefix: string) {}

  /** The ten keys of each session script, in its order. */
  get all(): readonly string[] {
    return OF_SCRIPTS.map((name) => this.prefix + NOUNS[name]);
  }

  get meta(): string {
    return this.prefix + NOUNS.meta;
  }

  get log(): string {
    return this.prefix + NOUNS.log;
  }

  get inbox(): string {
    return this.prefix + NOUNS.inbox;
  }

  get calls(): string {
    return this.prefix + NOUNS.calls;
  }

  get queue(): string {
    return this.prefix + NOUNS.queue;
  }

  get messages(): string {
    return this.prefix + NOUNS.messages;
  }

  get history(): string {
    return this.prefix + NOUNS.history;
  }

  get todos(): string {
    return this.prefix + NOUNS.todos;
  }

  get rules(): string {
    return this.prefix + NOUNS.rules;
  }

  get audit(): string {
    return this.prefix + NOUNS.audit;
  }

  /** What it had in its hashes, while it rests; not among `all`, because no script of the session touches it. */
  get frozen(): string {
    return this.prefix + NOUNS.frozen;
  }

  /** Sessions that programs run in this one; not among `all`, because no script of the session writes it. */
  get children(): string {
    return this.prefix + NOUNS.children;
  }

  /** Tools that its person registered for it; not among `all`, either. */
  get tools(): string {
    return this.prefix + NOUNS.tools;
  }

  step(stepId: string): string {
    return this.prefix + STEP + stepId;
  }

  /** Frames, to gateways. */
  get live(): string {
    return this.prefix + NOUNS.live;
  }

  /** Inbox entries, to the holder of the lease. */
  get wake(): string {
    return this.prefix + NOUNS.wake;
  }

  /** Text that is being written, to the holder of the lease. */
  get delta(): string {
    return this.prefix + NOUNS.delta;
  }

  /** The end of a turn or of an attempt, to the proxy. */
  get stop(): string {
    return this.prefix + NOUNS.stop;
  }
}

/** What llm-proxy counts for a person: all in one slot. */
export interface LedgerKeys {
  /** Requests and tokens of the last minute. */
  readonly rates: string;
  readonly spent: string;
  readonly reserved: string;
  readonly reservationEnds: string;
  /** Who wrote which batch last. */
  readonly writers: string;
  readonly toolCalls: string;
  /** @param day `YYYYMMDD` */
  readonly usage: (day: string) => string;
}

/** Every key and channel, built here only. `sid` is the hash tag. */
export interface Keys {
  session(sid: Sid): SessionKeys;
  due(sid: Sid): string;
  readonly everyDue: readonly string[];
  models(sid: Sid): string;
  readonly everyModels: readonly string[];
  /** The sessions of a person. */
  owned(owner: Owner): string;
  /** The sessions of a person whose executor is connected. */
  present(owner: Owner): string;
  /** Children that a process waits for. */
  readonly held: string;
  /** Which runtimes live. */
  readonly workers: string;
  /** Which proxies live that serve sessions. */
  readonly proxies: string;
  /** The rules of a person: their own, and those for one of their workspaces. */
  rulesOf(owner: Owner): string;
  /** What a person decided outside of their sessions. */
  auditOf(owner: Owner): string;
  /** Tools by URL of a person. */
  toolsOf(owner: Owner): string;
  /** What an MCP server of the tools file says of its tools. */
  toolsOfServer(server: string): string;
  /** Which runtimes say of themselves that they run which list of tools. */
  readonly publishedTools: string;
  /** A list of tools that runtimes run, by its hash. */
  publishedList(digest: string): string;
  /** The rounds before a call that a program was handed. */
  handover(owner: Owner, callId: string): string;
  ledger(owner: Owner): LedgerKeys;
  /** How much each session of a person takes, and their sum. */
  storedOf(owner: string): string;
  /** How much each person of a tenant takes, and their sum. */
  storedOfTenant(tenant: string): string;
  /** How much each tenant takes, and their sum. */
  readonly storedByTenant: string;
  /** Persons by what they take: `<tenant>:<owner>`, both hashed. */
  readonly storedByOwner: string;
  /** Held by whoever recounts. */
  readonly recount: string;
  /** A text that sessions have in common, and the sessions that do. */
  blobText(digest: string): string;
  blobUsers(digest: string): string;
  /** What keeps a browser signed in, or a sign-in that is under way. */
  signIn(name: string): string;
  /** Which processes report on themselves. */
  readonly serviceReports: string;
  serviceReport(replica: string): string;
  /** What sessions are told of the models. */
  readonly modelFacts: string;
  /** Names the life of the store. */
  readonly store: string;
  /** Written to see whether Redis takes writes; one in each part of the due set. */
  readonly probes: readonly string[];
  /** How far the janitor has looked, on each server. */
  readonly walk: string;
  /** What every key begins with, and what stands before that. */
  readonly root: string;
  readonly namespace: string;
  /** What BullMQ puts before its keys. */
  readonly queuePrefix: string;
  /** The same for the wakes of a session; the first of them is {@link queuePrefix}. */
  wakes(sid: Sid): string;
  readonly everyWakes: readonly string[];
}

/**
 * @param namespace put before `cl:`, so that tests can share a Redis
 * @param place what `REDIS_URL` names: every service of a stack has the same
 */
export function createKeys(namespace = '', place: RedisPlace['kind'] = 'server'): Keys {
  const shards = Array.from({ length: QUEUE_SHARDS[place] }, (_, shard) => shard);
  const fill = (kind: KeyKind, ...names: readonly string[]): string => namespace + fillKey(kind, ...names);
  const due = (shard: number): string => fill(SYSTEM_KINDS.due, String(shard));
  const models = (shard: number): string => fill(SYSTEM_KINDS.models, String(shard));
  const wakes = (shard: number): string => {
    const queue = shard === 0 ? fill(SYSTEM_KINDS.wakeQueue) : fill(SYSTEM_KINDS.wakeQueues, String(shard));
    return queue.slice(0, queue.indexOf(':session-wake'));
  };
  const of = (kind: KeyKind, owner: Owner, ...names: readonly string[]): string => fill(kind, ownerHash(owner), ...names);
  const digit = (sid: Sid, place: number): number => Math.max(0, ALPHABET.indexOf(sid[place] ?? 'a'));
  return {
    session: (sid) => new SessionKeys(`${namespace}cl:{${sid}}:`),
    due: (sid) => due(digit(sid, 0) % DUE_SHARDS),
    everyDue: Array.from({ length: DUE_SHARDS }, (_, shard) => due(shard)),
    models: (sid) => models(digit(sid, 1) % shards.length),
    everyModels: shards.map(models),
    owned: (owner) => of(OWNER_KINDS.owned, owner),
    present: (owner) => of(OWNER_KINDS.present, owner),
    held: fill(SYSTEM_KINDS.held),
    workers: fill(SYSTEM_KINDS.workers),
    proxies: fill(SYSTEM_KINDS.proxies),
    rulesOf: (owner) => of(OWNER_KINDS.rulesOf, owner),
    auditOf: (owner) => of(OWNER_KINDS.auditOf, owner),
    toolsOf: (owner) => of(OWNER_KINDS.toolsOf, owner),
    toolsOfServer: (server) => fill(SYSTEM_KINDS.toolsOfServer, server),
    publishedTools: fill(SYSTEM_KINDS.publishedTools),
    publishedList: (digest) => fill(SYSTEM_KINDS.publishedList, digest),
    handover: (owner, callId) => of(OWNER_KINDS.handover, owner, callId),
    ledger: (owner) => {
      const { rates, spent, reserved, reservationEnds, writers, toolCalls, usage } = OWNER_KINDS;
      const hash = ownerHash(owner); // once
      return {
        ...{ rates: fill(rates, hash), spent: fill(spent, hash), reserved: fill(reserved, hash) },
        ...{ reservationEnds: fill(reservationEnds, hash), writers: fill(writers, hash), toolCalls: fill(toolCalls, hash) },
        usage: (day) => fill(usage, hash, day),
      };
    },
    storedOf: (owner) => fill(OWNER_KINDS.storedOf, owner),
    storedOfTenant: (tenant) => fill(OWNER_KINDS.storedOfTenant, tenant),
    storedByTenant: fill(SYSTEM_KINDS.storedByTenant),
    storedByOwner: fill(SYSTEM_KINDS.storedByOwner),
    recount: fill(SYSTEM_KINDS.recount),
    blobText: (digest) => fill(SYSTEM_KINDS.blobText, digest),
    blobUsers: (digest) => fill(SYSTEM_KINDS.blobUsers, digest),
    signIn: (name) => fill(SYSTEM_KINDS.signIn, name),
    serviceReports: fill(SYSTEM_KINDS.serviceReports),
    serviceReport: (replica) => fill(SYSTEM_KINDS.serviceReport, replica),
    modelFacts: fill(SYSTEM_KINDS.modelFacts),
    store: fill(SYSTEM_KINDS.store),
    probes: Array.from({ length: DUE_SHARDS }, (_, shard) => fill(SYSTEM_KINDS.probe, String(shard))),
    walk: fill(SYSTEM_KINDS.walk),
    root: `${namespace}cl:`,
    namespace,
    queuePrefix: wakes(0),
    wakes: (sid) => wakes(digit(sid, 2) % shards.length),
    everyWakes: shards.map(wakes),
  };
}

import type { Owner, Sid } from '../session-ref.js';
import { ownerHash } from '../session-ref.js';

/** Sets of sessions with work. */
export const DUE_SHARDS = 16;
/** Streams of model requests. A consumer blocks on all of them in one command, which a cluster allows for one slot only. */
export const MODEL_SHARDS = 1;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

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
    return OF_SCRIPTS.map((noun) => this.prefix + noun);
  }

  get meta(): string {
    return `${this.prefix}meta`;
  }

  get log(): string {
    return `${this.prefix}log`;
  }

  get inbox(): string {
    return `${this.prefix}inbox`;
  }

  get calls(): string {
    return `${this.prefix}calls`;
  }

  get queue(): string {
    return `${this.prefix}queue`;
  }

  get messages(): string {
    return `${this.prefix}messages`;
  }

  get history(): string {
    return `${this.prefix}history`;
  }

  get todos(): string {
    return `${this.prefix}todos`;
  }

  get rules(): string {
    return `${this.prefix}rules`;
  }

  get audit(): string {
    return `${this.prefix}audit`;
  }

  /** Sessions that programs run in this one; not among `all`, because no script of the session writes it. */
  get children(): string {
    return `${this.prefix}children`;
  }

  /** Tools that its person registered for it; not among `all`, either. */
  get tools(): string {
    return `${this.prefix}tools`;
  }

  step(stepId: string): string {
    return `${this.prefix}step:${stepId}`;
  }

  /** Frames, to gateways. */
  get live(): string {
    return `${this.prefix}frames`;
  }

  /** Inbox entries, to the holder of the lease. */
  get wake(): string {
    return `${this.prefix}wake`;
  }

  /** Text that is being written, to the holder of the lease. */
  get delta(): string {
    return `${this.prefix}delta`;
  }

  /** The end of a turn or of an attempt, to the proxy. */
  get stop(): string {
    return `${this.prefix}stop`;
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
  /** What BullMQ puts before its keys. */
  readonly queuePrefix: string;
}

/** @param namespace put before `cl:`, so that tests can share a Redis */
export function createKeys(namespace = ''): Keys {
  const root = `${namespace}cl:`;
  const due = (shard: number): string => `${root}{due:${String(shard)}}`;
  const models = (shard: number): string => `${root}{models:${String(shard)}}`;
  const owns = (owner: Owner, noun: string): string => `${root}{own:${ownerHash(owner)}}:${noun}`;
  const digit = (sid: Sid, place: number): number => Math.max(0, ALPHABET.indexOf(sid[place] ?? 'a'));
  return {
    session: (sid) => new SessionKeys(`${root}{${sid}}:`),
    due: (sid) => due(digit(sid, 0) % DUE_SHARDS),
    everyDue: Array.from({ length: DUE_SHARDS }, (_, shard) => due(shard)),
    models: (sid) => models(digit(sid, 1) % MODEL_SHARDS),
    everyModels: Array.from({ length: MODEL_SHARDS }, (_, shard) => models(shard)),
    owned: (owner) => owns(owner, 'sessions'),
    present: (owner) => owns(owner, 'present'),
    held: `${root}{held}`,
    rulesOf: (owner) => owns(owner, 'rules'),
    auditOf: (owner) => owns(owner, 'audit'),
    toolsOf: (owner) => owns(owner, 'tools'),
    toolsOfServer: (server) => `${root}{mcp:${server}}:tools`,
    publishedTools: `${root}{published}:tools`,
    publishedList: (digest) => `${root}{published}:list:${digest}`,
    handover: (owner, callId) => owns(owner, `handover:${callId}`),
    ledger: (owner) => {
      const person = owns(owner, ''); // hashed once
      return {
        ...{ rates: `${person}rates`, spent: `${person}spent`, reserved: `${person}reserved` },
        ...{ reservationEnds: `${person}reservation_ends`, writers: `${person}writers`, toolCalls: `${person}tool_calls` },
        usage: (day) => `${person}usage:${day}`,
      };
    },
    storedOf: (owner) => `${root}{own:${owner}}:stored`,
    storedOfTenant: (tenant) => `${root}{tenant:${tenant}}:stored`,
    storedByTenant: `${root}{stored}:tenants`,
    storedByOwner: `${root}{stored}:owners`,
    recount: `${root}{stored}:recount`,
    signIn: (name) => `${root}{sign_in:${name}}`,
    serviceReports: `${root}{services}:replicas`,
    serviceReport: (replica) => `${root}{services}:report:${replica}`,
    modelFacts: `${root}{models}:facts`,
    store: `${root}{store}`,
    probes: Array.from({ length: DUE_SHARDS }, (_, shard) => `${due(shard)}:probe`),
    queuePrefix: `${root}{wake}`,
  };
}

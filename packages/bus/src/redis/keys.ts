import type { Owner, Sid } from '../session-ref.js';
import { ownerHash } from '../session-ref.js';

/** Sets of sessions with work. */
export const DUE_SHARDS = 16;
/** Streams of model requests. A consumer blocks on all of them in one command, which a cluster allows for one slot only. */
export const MODEL_SHARDS = 1;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Keys and channels of one session: all in one slot. */
export interface SessionKeys {
  /** The ten keys of each session script, in its order. */
  readonly all: readonly string[];
  readonly meta: string;
  readonly log: string;
  readonly inbox: string;
  readonly calls: string;
  readonly queue: string;
  readonly messages: string;
  readonly history: string;
  readonly todos: string;
  readonly rules: string;
  readonly audit: string;
  /** Sessions that programs run in this one; not among `all`, because no script of the session writes it. */
  readonly children: string;
  step(stepId: string): string;
  /** Frames, to gateways. */
  readonly live: string;
  /** Inbox entries, to the holder of the lease. */
  readonly wake: string;
  /** Text that is being written, to the holder of the lease. */
  readonly delta: string;
  /** The end of a turn or of an attempt, to the proxy. */
  readonly stop: string;
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
  // Built anew each time: kept for each session they would take more memory than its state.
  const session = (sid: Sid): SessionKeys => {
    const key = (noun: string): string => `${root}{${sid}}:${noun}`;
    const [meta, log, inbox, calls] = [key('meta'), key('log'), key('inbox'), key('calls')];
    const [queue, messages, history, todos] = [key('queue'), key('messages'), key('history'), key('todos')];
    const [rules, audit, children, live] = [key('rules'), key('audit'), key('children'), key('frames')];
    const [wake, delta, stop] = [key('wake'), key('delta'), key('stop')];
    const all = [meta, log, inbox, calls, queue, messages, history, todos, rules, audit];
    const step = (stepId: string): string => key(`step:${stepId}`);
    return { all, meta, log, inbox, calls, queue, messages, history, todos, rules, audit, children, step, live, wake, delta, stop };
  };
  return {
    session,
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
    store: `${root}{store}`,
    probes: Array.from({ length: DUE_SHARDS }, (_, shard) => `${due(shard)}:probe`),
    queuePrefix: `${root}{wake}`,
  };
}

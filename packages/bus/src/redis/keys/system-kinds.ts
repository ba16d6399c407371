import type { KeyKind } from './key-kind.js';

const ALL = ['all'] as const;
const RUNTIME = ['agent-runtime'] as const;
const UNTIL_EMPTY = { without: 'counts what is stored, and goes with the last of it; the recount takes out what is gone' } as const;

/** Longer than any session that refers to it; the janitor takes out users that are gone, and lengthens it for those that live. */
const BLOB = { ttl: '`CODELAB_SESSION_TTL_MS`, `CODELAB_PARKED_TTL_MS` and a week from the last use, or its last user' } as const;

/** What belongs to nobody: queues, sums, and what services say of themselves. */
export const SYSTEM_KINDS = {
  due: {
    ...{ key: 'cl:{due:<0 to 15>}', type: 'zset', writers: ALL, atMost: 'the sessions that have work or a deadline' },
    holds: 'sessions with work, by the time at which somebody must look; they leave by a park with an empty inbox',
    life: { without: 'work must not go by itself; a session that is gone leaves when it is looked at' },
  },
  probe: {
    ...{ key: 'cl:{due:<0 to 15>}:probe', type: 'string', writers: ALL, life: { ttl: '10 s' }, atMost: '16 keys' },
    holds: 'nothing: written every 2 s to see whether Redis takes writes',
  },
  models: {
    ...{ key: 'cl:{models:<0 to 3>}', type: 'stream', writers: ['agent-runtime', 'llm-proxy'] },
    atMost: 'the model requests that are not over; 1 key, in a cluster 4',
    holds: 'names of model requests, for the consumer group `proxies`; an entry goes when its request is over',
    life: { without: 'a request must not go by itself; the janitor takes out consumers that are gone' },
  },
  modelFacts: {
    ...{ key: 'cl:{models}:facts', type: 'string', writers: ['llm-proxy'], atMost: '1 key' },
    holds: 'what sessions are told of the models: where each name leads, its context window, its vocabulary; JSON text',
    life: { ttl: '2 min, written again every 30 s by each proxy' },
  },
  held: {
    ...{ key: 'cl:{held}', type: 'zset', writers: ['llm-proxy', 'agent-runtime'], atMost: 'the children that run' },
    holds: 'children that a process waits for, by the time until which it has said so; those it forgot are cancelled',
    life: { without: 'a child that nobody waits for must be cancelled; each leaves within 30 s of the last word' },
  },
  toolsOfServer: {
    ...{
      key: 'cl:{mcp:<server>}:tools',
      type: 'hash',
      writers: RUNTIME,
      life: { ttl: '400 days from the last look' },
      atMost: 'the tools of a server',
    },
    holds: 'since when each tool of an MCP server of the tools file is what it is, and a digest of what the server says of it',
  },
  workers: {
    ...{
      key: 'cl:{workers}',
      type: 'hash',
      writers: RUNTIME,
      atMost: 'a field for each runtime',
      life: { ttl: '60 s from the last beat' },
    },
    holds: 'how often each runtime has said that it lives, every 0.3 s; one that ends leaves, one that falls silent is taken out',
  },
  proxies: {
    ...{
      key: 'cl:{proxies}',
      type: 'hash',
      writers: ['llm-proxy'],
      atMost: 'a field for each proxy',
      life: { ttl: '60 s from the last beat' },
    },
    holds: 'how often each proxy that serves sessions has said that it lives, every 0.3 s; likewise',
  },
  publishedTools: {
    ...{ key: 'cl:{published}:tools', type: 'zset', writers: RUNTIME, atMost: 'an entry for each runtime' },
    holds: 'which runtime runs which list of tools of the tools file and the web, by the time until which its word counts',
    life: { ttl: '15 s, written again every 5 s by each runtime' },
  },
  publishedList: {
    ...{ key: 'cl:{published}:list:<digest>', type: 'string', writers: RUNTIME, atMost: '2 MB' },
    holds: 'such a list by its hash: names, descriptions, schemas, tags, and who sees each; JSON text; no address, no header',
    life: { ttl: '15 s after the last runtime that has it' },
  },
  signIn: {
    ...{ key: 'cl:{sign_in:<hash>}', type: 'string', writers: ['gateway'], atMost: 'a token' },
    holds: 'the token of a browser that is signed in to the console, sealed with a key that only its cookie has',
    life: { ttl: '7 days; 10 min while somebody signs in elsewhere' },
  },
  serviceReports: {
    ...{ key: 'cl:{services}:replicas', type: 'zset', writers: ALL, atMost: 'an entry for each process' },
    holds: 'processes that report on themselves, by the time until which their word counts',
    life: { ttl: '15 s, written again every 5 s by each process' },
  },
  serviceReport: {
    ...{ key: 'cl:{services}:report:<replica>', type: 'string', writers: ALL, atMost: 'some 20 KB' },
    holds: 'what a process says of itself: version, readiness, numbers, histograms, settings without secrets; JSON text',
    life: { ttl: '15 s, written again every 5 s' },
  },
  storedByTenant: {
    ...{ key: 'cl:{stored}:tenants', type: 'hash', writers: ALL, life: UNTIL_EMPTY, atMost: 'a field for each tenant' },
    holds: 'bytes of each tenant, and their `sum`',
  },
  storedByOwner: {
    ...{ key: 'cl:{stored}:owners', type: 'zset', writers: ALL, life: UNTIL_EMPTY, atMost: 'an entry for each person' },
    holds: 'persons by their bytes',
  },
  recount: {
    ...{ key: 'cl:{stored}:recount', type: 'string', writers: ALL, life: { ttl: '5 min' }, atMost: '1 key' },
    holds: 'that sessions were recounted a moment ago',
  },
  store: {
    ...{ key: 'cl:{store}', type: 'hash', writers: ALL, atMost: '5 fields' },
    holds: 'the name of the life of the store: who, when and why; every script reads it',
    life: { without: 'without it every session would begin a new epoch' },
  },
  blobText: {
    ...{ key: 'cl:{blob:<digest>}:text', type: 'string', writers: ALL, life: BLOB, atMost: 'what its users count for their owners' },
    holds:
      'a text that stands once for all that have it, by its SHA-256: tools of executors, prompts, what executors say of a workspace; long strings of results, messages and arguments in histories, logs and calls',
  },
  blobUsers: {
    ...{ key: 'cl:{blob:<digest>}:users', type: 'set', writers: ALL, life: BLOB, atMost: 'the sessions that refer to it' },
    holds: 'the sessions that refer to that text; with the last of them both go',
  },
  walk: {
    ...{
      key: 'cl:{janitor}:walk',
      type: 'hash',
      writers: RUNTIME,
      life: { ttl: '1 day from the last run' },
      atMost: 'a field for each server',
    },
    holds: 'how far the janitor has looked',
  },
  janitorQueue: {
    ...{ key: 'cl:{wake}:janitor:*', type: 'BullMQ', writers: RUNTIME, atMost: 'one job and the next; 100 events' },
    holds: 'the runs of the janitor: one at a time in the cluster',
    life: { without: 'BullMQ keeps its queue and its schedule' },
  },
  wakeQueue: {
    ...{ key: 'cl:{wake}:session-wake:*', type: 'BullMQ', writers: ALL, atMost: 'a job for each session that was woken; 100 events' },
    holds: 'wakes; a job goes when it is done or has failed',
    life: { without: 'BullMQ keeps its queue' },
  },
  wakeQueues: {
    ...{
      key: 'cl:{wake:<1 to 3>}:session-wake:*',
      type: 'BullMQ',
      writers: ALL,
      atMost: 'a job for each session that was woken; 100 events',
    },
    holds: 'wakes, in a cluster only, beside `cl:{wake}`',
    life: { without: 'BullMQ keeps its queue' },
  },
} as const satisfies Record<string, KeyKind>;

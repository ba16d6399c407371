import type { KeyKind } from './key-kind.js';

const PROXY = ['llm-proxy'] as const;
const EVERYBODY = ['gateway', 'agent-runtime', 'llm-proxy'] as const;
const UNTIL_EMPTY = { without: 'counts what is stored, and goes with the last of it; the recount takes out what is gone' } as const;

/** What is kept for a person: all in one slot. */
export const OWNER_KINDS = {
  owned: {
    ...{
      key: 'cl:{own:<hash>}:sessions',
      type: 'zset',
      writers: ['gateway'],
      atMost: 'the sessions that live: the janitor takes out the others',
    },
    holds: 'the sessions of a person, by the time of the last join',
    life: { ttl: '`CODELAB_SESSION_TTL_MS` from the last join' },
  },
  present: {
    ...{
      key: 'cl:{own:<hash>}:present',
      type: 'zset',
      writers: ['gateway'],
      life: { ttl: '15 seconds' },
      atMost: 'the connected sessions',
    },
    holds: 'sessions of a person whose executor is connected, one entry for each gateway that has it, by the time until which that counts',
  },
  rulesOf: {
    ...{ key: 'cl:{own:<hash>}:rules', type: 'hash', writers: ['gateway'], atMost: '200 of one workspace or person, 1,000 in all' },
    holds: 'rules that a person made for themselves or for one of their workspaces',
    life: { without: 'a rule that forbids must not go by itself' },
  },
  auditOf: {
    ...{ key: 'cl:{own:<hash>}:audit', type: 'stream', writers: ['gateway'], atMost: '1,000 rows' },
    holds: 'rules of a person that were made and revoked',
    life: { ttl: '`CODELAB_SESSION_TTL_MS` from the last row' },
  },
  toolsOf: {
    ...{ key: 'cl:{own:<hash>}:tools', type: 'hash', writers: PROXY, atMost: '100 tools' },
    holds: 'tools by URL that a person registered, with their headers, by name',
    life: { without: 'a tool stays until it is removed' },
  },
  handover: {
    ...{
      key: 'cl:{own:<hash>}:handover:<call id>',
      type: 'string',
      writers: PROXY,
      life: { ttl: '1 hour from the last use' },
      atMost: '8 MB',
    },
    holds: 'the rounds of tools before a call that a program was handed, or the name of the call under which they are',
  },
  rates: {
    ...{ key: 'cl:{own:<hash>}:rates', type: 'hash', writers: PROXY, life: { ttl: '2 minutes' }, atMost: '42 fields' },
    holds: 'requests and tokens of the last minute, in pieces of 3 s, where the models file limits them',
  },
  spent: {
    ...{ key: 'cl:{own:<hash>}:spent', type: 'hash', writers: PROXY, atMost: '5 fields of a person' },
    holds: 'what a person spent on models today, this month and in all, in nano-dollars',
    life: { without: 'a budget must not begin again by itself' },
  },
  reserved: {
    ...{ key: 'cl:{own:<hash>}:reserved', type: 'hash', writers: PROXY, life: { ttl: '2 minutes' }, atMost: 'the requests in flight' },
    holds: 'what model requests in flight may cost and use, by the name of the request, and the sum',
  },
  reservationEnds: {
    ...{
      key: 'cl:{own:<hash>}:reservation_ends',
      type: 'zset',
      writers: PROXY,
      life: { ttl: '2 minutes' },
      atMost: 'the requests in flight',
    },
    holds: 'the same by the time at which they end if their process dies: a minute after its last sign of life',
  },
  usage: {
    ...{
      key: 'cl:{own:<hash>}:usage:<day>',
      type: 'hash',
      writers: PROXY,
      life: { ttl: '400 days' },
      atMost: '10,000 rows, over it the rest is one',
    },
    holds: 'requests, tokens and cost of a day (`YYYYMMDD`, UTC), by session and model',
  },
  writers: {
    ...{ key: 'cl:{own:<hash>}:writers', type: 'hash', writers: PROXY, life: { ttl: '1 day' }, atMost: 'the processes of a day' },
    holds: 'the number of the last batch of each process that stores usage or tool calls, so that none counts twice',
  },
  toolCalls: {
    ...{ key: 'cl:{own:<hash>}:tool_calls', type: 'stream', writers: PROXY, life: { ttl: '30 days' }, atMost: 'about 10,000 rows' },
    holds: 'a row for each tool call that llm-proxy saw: who called what and how it went, without arguments',
  },
  storedOf: {
    ...{ key: 'cl:{own:<hash>}:stored', type: 'hash', writers: EVERYBODY, life: UNTIL_EMPTY, atMost: 'a field for each session' },
    holds: 'bytes of each session of a person, and their `sum`',
  },
  storedOfTenant: {
    ...{ key: 'cl:{tenant:<hash>}:stored', type: 'hash', writers: EVERYBODY, life: UNTIL_EMPTY, atMost: 'a field for each person' },
    holds: 'bytes of each person of a tenant, and their `sum`',
  },
} as const satisfies Record<string, KeyKind>;

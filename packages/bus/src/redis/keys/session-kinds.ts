import type { KeyKind } from './key-kind.js';

/** The TTL that all keys of a session share. */
const LIFE = {
  ttl: 'the session’s: `CODELAB_SESSION_TTL_MS` from the last write',
  without: 'none while a turn runs or a call is open: what waits for a human must not go by itself',
} as const;
const EVERYBODY = ['gateway', 'agent-runtime', 'llm-proxy'] as const;
const RUNTIME = ['agent-runtime'] as const;
const NEVER_STORED = { without: 'a channel is not stored' } as const;
const UNSTORED = 'nothing is kept';

/** What a session has: all in one slot. The first ten are the keys of each session script, in its order. */
export const SESSION_KINDS = {
  meta: {
    ...{ key: 'cl:{sid}:meta', type: 'hash', writers: EVERYBODY, life: LIFE, atMost: 'some 55 fields' },
    holds:
      'owner, schema version, epoch and seq of the log, settings, executor, the turn that runs, lease and its fence, the runtime’s state',
  },
  log: {
    ...{ key: 'cl:{sid}:log', type: 'stream', writers: EVERYBODY, life: LIFE, atMost: '10,000 frames and 32 MB' },
    holds: 'frames to the clients, id `seq-0`',
  },
  inbox: {
    ...{ key: 'cl:{sid}:inbox', type: 'stream', writers: EVERYBODY, life: LIFE, atMost: '256 entries and 32 MB' },
    holds: 'what the runtime has not consumed yet, id `n-0`',
  },
  calls: {
    ...{ key: 'cl:{sid}:calls', type: 'hash', writers: EVERYBODY, life: LIFE, atMost: 'open ones: those of a turn; 1,024 that are over' },
    holds: 'open tool calls, and the names of those that are over',
  },
  queue: {
    ...{ key: 'cl:{sid}:queue', type: 'hash', writers: EVERYBODY, life: LIFE, atMost: '32 messages' },
    holds: 'messages that wait',
  },
  messages: {
    ...{
      key: 'cl:{sid}:messages',
      type: 'hash',
      writers: EVERYBODY,
      life: LIFE,
      atMost: '1,024 messages; and what one model request begins with',
    },
    holds:
      'the answers of the last messages, so that a repeat gets the same; what model requests have in common: prompt and tools, and of ' +
      'a child what they begin with; what the executor says of the workspace, now and when the session began',
  },
  history: {
    ...{ key: 'cl:{sid}:history', type: 'list', writers: RUNTIME, life: LIFE, atMost: 'the quota of its owner' },
    holds: 'the conversation, JSON texts; only appended to',
  },
  todos: {
    ...{ key: 'cl:{sid}:todos', type: 'string', writers: RUNTIME, life: LIFE, atMost: 'the result of one call' },
    holds: 'the task list, JSON text',
  },
  rules: {
    ...{ key: 'cl:{sid}:rules', type: 'hash', writers: ['gateway'], life: LIFE, atMost: '200 rules' },
    holds: 'rules that a human made for this session',
  },
  audit: {
    ...{ key: 'cl:{sid}:audit', type: 'stream', writers: ['gateway', 'agent-runtime'], life: LIFE, atMost: '1,000 rows' },
    holds: 'who decided what: a row for each decision, with paths and heads of commands',
  },
  frozen: {
    ...{
      key: 'cl:{sid}:frozen',
      type: 'string',
      writers: ['agent-runtime'],
      life: LIFE,
      atMost: '2,000 fields and values, and 400 entries of 64 KB, deflated',
    },
    holds:
      'what a session that rests had in `meta`, `calls` and `messages`, in a short `log` and a short `audit`; whoever opens it brings that back',
  },
  children: {
    ...{ key: 'cl:{sid}:children', type: 'zset', writers: ['agent-runtime', 'llm-proxy'], atMost: '128 names' },
    holds: 'sessions that programs run in this one, or agents for a part of its task, by the time of their beginning or end',
    life: { ttl: '`CODELAB_SESSION_TTL_MS` from the last one' },
  },
  tools: {
    ...{ key: 'cl:{sid}:tools', type: 'hash', writers: ['llm-proxy'], atMost: '100 tools' },
    holds: 'tools that a person registered for this session, as those of the person',
    life: { ttl: '`CODELAB_SESSION_TTL_MS` from the last turn' },
  },
  step: {
    ...{ key: 'cl:{sid}:step:<step id>', type: 'hash', writers: ['agent-runtime', 'llm-proxy'], atMost: 'one of a session' },
    holds: 'a model request: state, attempt, claim, text so far; gone when the next one of the session is stored',
    life: { ttl: '`CODELAB_SESSION_TTL_MS`, 10 minutes once it is over' },
  },
  live: {
    ...{ key: 'cl:{sid}:frames', type: 'channel', writers: EVERYBODY, life: NEVER_STORED, atMost: UNSTORED },
    holds: 'frames of the log with epoch and seq; a frame above 16 KB by its number alone; relayed frames',
  },
  wake: {
    ...{ key: 'cl:{sid}:wake', type: 'channel', writers: EVERYBODY, life: NEVER_STORED, atMost: UNSTORED },
    holds: 'inbox entries, to the holder of the lease',
  },
  delta: {
    ...{ key: 'cl:{sid}:delta', type: 'channel', writers: ['llm-proxy'], life: NEVER_STORED, atMost: UNSTORED },
    holds: 'text while a model writes it',
  },
  stop: {
    ...{ key: 'cl:{sid}:stop', type: 'channel', writers: EVERYBODY, life: NEVER_STORED, atMost: UNSTORED },
    holds: 'the end of a turn or of an attempt',
  },
} as const satisfies Record<string, KeyKind>;

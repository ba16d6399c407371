/** A key or a channel in Redis: what it holds, and how long it lives. For the reference page; a test holds it against a real Redis. */
export interface KeyReference {
  /** `sid` is the inner name of a session; the braces are the hash tag. */
  readonly key: string;
  readonly type: 'hash' | 'stream' | 'list' | 'string' | 'zset' | 'channel' | 'BullMQ';
  readonly holds: string;
  readonly ttl: string;
}

const SESSION = 'the session’s: 30 days from the last write, none while a turn runs or a call is open';
const NONE = '–';

/** Every key and channel that the services use. They are built in `keys.ts`. */
export const REDIS_KEYS: readonly KeyReference[] = [
  {
    ...{ key: 'cl:{sid}:meta', type: 'hash', ttl: SESSION },
    holds:
      'owner, schema version, epoch and seq of the log, settings, executor, the turn that runs, lease and its fence, the runtime’s state',
  },
  {
    ...{ key: 'cl:{sid}:log', type: 'stream', ttl: SESSION },
    holds: 'frames to the clients, id `seq-0`; at most 10,000 and 32 MB',
  },
  {
    ...{ key: 'cl:{sid}:inbox', type: 'stream', ttl: SESSION },
    holds: 'what the runtime has not consumed yet, id `n-0`; at most 256 entries and 32 MB',
  },
  {
    ...{ key: 'cl:{sid}:calls', type: 'hash', ttl: SESSION },
    holds: 'open tool calls, and the last 1,024 that are over, by name',
  },
  {
    ...{ key: 'cl:{sid}:queue', type: 'hash', ttl: SESSION },
    holds: 'messages that wait; at most 32',
  },
  {
    ...{ key: 'cl:{sid}:messages', type: 'hash', ttl: SESSION },
    holds:
      'the answers of the last 1,024 messages, so that a repeat gets the same; what model requests have in common: prompt and tools, and of ' +
      'a child what they begin with; what the executor says of the workspace, now and when the session began',
  },
  {
    ...{ key: 'cl:{sid}:history', type: 'list', ttl: SESSION },
    holds: 'the conversation, JSON texts; only appended to',
  },
  { ...{ key: 'cl:{sid}:todos', type: 'string', ttl: SESSION }, holds: 'the task list, JSON text' },
  {
    ...{ key: 'cl:{sid}:rules', type: 'hash', ttl: SESSION },
    holds: 'rules that a human made for this session; at most 200',
  },
  {
    ...{ key: 'cl:{sid}:audit', type: 'stream', ttl: SESSION },
    holds: 'who decided what: a row for each decision, with paths and heads of commands; the last 1,000',
  },
  {
    ...{ key: 'cl:{sid}:children', type: 'zset' },
    holds: 'sessions that programs run in this one, or agents for a part of its task, by the time of their beginning or end; the last 128',
    ttl: '30 days from the last one',
  },
  {
    ...{ key: 'cl:{sid}:step:<step_id>', type: 'hash' },
    holds: 'a model request: state, attempt, claim, text so far; gone when the next one of the session is stored',
    ttl: '30 days, 10 minutes once it is over',
  },
  {
    ...{ key: 'cl:{due:0..15}', type: 'zset', ttl: NONE },
    holds: 'sessions with work, by the time at which somebody must look; they leave by a park with an empty inbox',
  },
  {
    ...{ key: 'cl:{own:<hash>}:sessions', type: 'zset', ttl: '30 days from the last join' },
    holds: 'the sessions of a person, by the time of the last join',
  },
  {
    ...{ key: 'cl:{own:<hash>}:present', type: 'zset', ttl: '15 seconds' },
    holds: 'sessions of a person whose executor is connected, one entry for each gateway that has it, by the time until which that counts',
  },
  {
    ...{ key: 'cl:{own:<hash>}:rules', type: 'hash' },
    holds: 'rules that a person made for themselves or for one of their workspaces; at most 200 for each of these, and 1,000 in all',
    ttl: '– : a rule that forbids must not go by itself',
  },
  {
    ...{ key: 'cl:{own:<hash>}:audit', type: 'stream', ttl: '30 days from the last row' },
    holds: 'rules of a person that were made and revoked; the last 1,000 rows',
  },
  {
    ...{ key: 'cl:{sid}:tools', type: 'hash' },
    holds: 'tools that a person registered for this session, as those of the person; at most 100',
    ttl: '30 days from the last turn',
  },
  {
    ...{ key: 'cl:{own:<hash>}:tools', type: 'hash' },
    holds: 'tools by URL that a person registered, with their headers, by name; at most 100',
    ttl: '– : a tool stays until it is removed',
  },
  {
    ...{ key: 'cl:{mcp:<server>}:tools', type: 'hash' },
    holds: 'since when each tool of an MCP server of the tools file is what it is, and a digest of what the server says of it',
    ttl: '400 days from the last look',
  },
  {
    ...{ key: 'cl:{published}:tools', type: 'zset', ttl: '15 s, written again every 5 s by each runtime' },
    holds: 'which runtime runs which list of tools of the tools file and the web, by the time until which its word counts',
  },
  {
    ...{ key: 'cl:{published}:list:<digest>', type: 'string', ttl: '15 s after the last runtime that has it' },
    holds: 'such a list by its hash: names, descriptions, schemas, tags, and who sees each; JSON text, at most 2 MB; no address, no header',
  },
  {
    ...{ key: 'cl:{own:<hash>}:handover:<call_id>', type: 'string' },
    holds: 'the rounds of tools before a call that a program was handed, or the name of the call under which they are; at most 8 MB',
    ttl: '1 hour from the last use',
  },
  {
    ...{ key: 'cl:{own:<hash>}:rates', type: 'hash', ttl: '2 minutes' },
    holds: 'requests and tokens of the last minute, in pieces of 3 s, where the models file limits them',
  },
  {
    ...{ key: 'cl:{own:<hash>}:spent', type: 'hash' },
    holds: 'what a person spent on models today, this month and in all, in nano-dollars',
    ttl: '– : a budget must not begin again by itself',
  },
  {
    ...{ key: 'cl:{own:<hash>}:reserved', type: 'hash', ttl: '2 minutes' },
    holds: 'what model requests in flight may cost and use, by the name of the request, and the sum',
  },
  {
    ...{ key: 'cl:{own:<hash>}:reservation_ends', type: 'zset', ttl: '2 minutes' },
    holds: 'the same by the time at which they end if their process dies: a minute after its last sign of life',
  },
  {
    ...{ key: 'cl:{own:<hash>}:usage:<day>', type: 'hash', ttl: '400 days' },
    holds: 'requests, tokens and cost of a day (`YYYYMMDD`, UTC), by session and model; at most 10,000 rows, over it the rest is one',
  },
  {
    ...{ key: 'cl:{own:<hash>}:writers', type: 'hash', ttl: '1 day' },
    holds: 'the number of the last batch of each process that stores usage or tool calls, so that none counts twice',
  },
  {
    ...{ key: 'cl:{own:<hash>}:tool_calls', type: 'stream', ttl: '30 days' },
    holds: 'a row for each tool call that llm-proxy saw: who called what and how it went, without arguments; about the last 10,000',
  },
  {
    ...{ key: 'cl:{models:0}', type: 'stream', ttl: NONE },
    holds: 'names of model requests, for the consumer group `proxies`; an entry goes when its request is over',
  },
  {
    ...{ key: 'cl:{models}:facts', type: 'string', ttl: '2 min, written again every 30 s by each proxy' },
    holds: 'what sessions are told of the models: where each name leads, its context window, its vocabulary; JSON text',
  },
  {
    ...{ key: 'cl:{sign_in:<hash>}', type: 'string', ttl: '7 days; 10 min while somebody signs in elsewhere' },
    holds: 'the token of a browser that is signed in to the console, sealed with a key that only its cookie has',
  },
  {
    ...{ key: 'cl:{services}:replicas', type: 'zset', ttl: '15 s, written again every 5 s by each process' },
    holds: 'processes that report on themselves, by the time until which their word counts',
  },
  {
    ...{ key: 'cl:{services}:report:<replica>', type: 'string', ttl: '15 s, written again every 5 s' },
    holds: 'what a process says of itself: version, readiness, numbers, histograms, settings without secrets; JSON text',
  },
  {
    ...{ key: 'cl:{held}', type: 'zset', ttl: NONE },
    holds: 'children that a process waits for, by the time until which it has said so; those it forgot are cancelled',
  },
  {
    ...{ key: 'cl:{own:<hash>}:stored', type: 'hash', ttl: 'until nothing is stored' },
    holds: 'bytes of each session of a person, and their `sum`',
  },
  {
    ...{ key: 'cl:{tenant:<hash>}:stored', type: 'hash', ttl: 'until nothing is stored' },
    holds: 'bytes of each person of a tenant, and their `sum`',
  },
  {
    ...{ key: 'cl:{stored}:tenants', type: 'hash', ttl: 'until nothing is stored' },
    holds: 'bytes of each tenant, and their `sum`',
  },
  {
    ...{ key: 'cl:{stored}:owners', type: 'zset', ttl: 'until nothing is stored' },
    holds: 'persons by their bytes',
  },
  {
    ...{ key: 'cl:{stored}:recount', type: 'string', ttl: '5 min' },
    holds: 'that sessions were recounted a moment ago',
  },
  {
    ...{ key: 'cl:{store}', type: 'hash', ttl: NONE },
    holds: 'the name of the life of the store: who, when and why; every script reads it',
  },
  {
    ...{ key: 'cl:{due:0..15}:probe', type: 'string', ttl: '10 s' },
    holds: 'nothing: written every 2 s to see whether Redis takes writes',
  },
  {
    ...{ key: 'cl:{wake}:session-wake:*', type: 'BullMQ', ttl: NONE },
    holds: 'wakes; a job goes when it is done or has failed',
  },
  {
    ...{ key: 'cl:{sid}:frames', type: 'channel', ttl: NONE },
    holds: 'frames of the log with epoch and seq; a frame above 16 KB by its number alone; relayed frames',
  },
  {
    ...{ key: 'cl:{sid}:wake', type: 'channel', ttl: NONE },
    holds: 'inbox entries, to the holder of the lease',
  },
  {
    ...{ key: 'cl:{sid}:delta', type: 'channel', ttl: NONE },
    holds: 'text while a model writes it',
  },
  {
    ...{ key: 'cl:{sid}:stop', type: 'channel', ttl: NONE },
    holds: 'the end of a turn or of an attempt',
  },
];

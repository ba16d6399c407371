import { Agent, request } from 'node:http';
import { connect, key, ready } from './connect.js';

const redis = connect();
const reader = redis.duplicate();
const agent = new Agent({ keepAlive: true });
const upstream = new URL(`${process.env['OPENAI_BASE_URL'] ?? ''}/chat/completions`);

/** What CodeLab sends before the conversation, without its end: the run gets it from CodeLab's first request. */
const prefix = process.env['BENCH_PREFIX'] ?? '{"model":"bench","stream":true,"messages":[]}';
const head = prefix.slice(0, -']}'.length);
const joins = head.endsWith('[') ? '' : ',';
/** The conversation of each session as it is sent, and how many items are in it: only what is new is read. */
const known = new Map<string, { text: string; items: number }>();

const conversationOf = async (sid: string): Promise<string> => {
  const before = known.get(sid);
  const added = await redis.lrange(key(sid, 'history'), before?.items ?? 0, -1);
  const text = before === undefined ? added.join(',') : [before.text, ...added].join(',');
  known.set(sid, { text, items: (before?.items ?? 0) + added.length });
  return text;
};

const complete = (messages: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const outgoing = request(upstream, { method: 'POST', agent, headers: { 'content-type': 'application/json' } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end(`${head}${joins}${messages}]}`);
  });

/** The one delta that our bench upstream sends, as a message. */
const messageOf = (stream: string): string => {
  const [first = '{}'] = stream.split('\n').filter((line) => line.startsWith('data: {'));
  const chunk = JSON.parse(first.replace('data: ', '')) as { choices: { delta: unknown }[] };
  return JSON.stringify(chunk.choices[0]?.delta);
};

const serve = async (sid: string): Promise<void> => {
  const message = messageOf(await complete(await conversationOf(sid)));
  await redis.answer(2, key(sid, 'inbox'), key(sid, 'step'), message, sid);
};

await redis.xgroup('CREATE', 'f:models', 'proxies', '$', 'MKSTREAM').catch(() => undefined);
ready();
for (;;) {
  const reply = (await reader.xreadgroup('GROUP', 'proxies', 'one', 'COUNT', 64, 'BLOCK', 1000, 'NOACK', 'STREAMS', 'f:models', '>')) as
    | [string, [string, string[]][]][]
    | null;
  for (const [, entries] of reply ?? []) for (const [, [, sid = '']] of entries) void serve(sid);
}

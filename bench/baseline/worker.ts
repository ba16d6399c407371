import { connect, key, ready } from './connect.js';

interface ProviderCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

const redis = connect();
const announcements = redis.duplicate();
let calls = 0;

const ask = (sid: string, item: object): void => {
  void redis.ask(3, key(sid, 'inbox'), key(sid, 'history'), key(sid, 'step'), JSON.stringify(item), sid);
  void redis.xadd('f:models', '*', 'sid', sid);
};

const call = (sid: string, message: { readonly content: string | null; readonly tool_calls?: readonly ProviderCall[] }): void => {
  const [first] = message.tool_calls ?? [];
  const callId = first === undefined ? '' : `call_${String((calls += 1))}`;
  const frame =
    first === undefined
      ? { type: 'assistant_message', token: message.content, is_final: true, content: message.content }
      : { type: 'tool_call', call_id: callId, tool_name: first.function.name, args: JSON.parse(first.function.arguments) as unknown };
  const item = JSON.stringify({ role: 'assistant', ...message });
  void redis.call(4, key(sid, 'inbox'), key(sid, 'history'), key(sid, 'calls'), key(sid, 'log'), item, callId, JSON.stringify(frame), sid);
};

announcements.on('message', (_channel, text) => {
  const [sid = '', kind] = text.split(' ', 2);
  const body = JSON.parse(text.slice(sid.length + 3)) as Record<string, unknown>;
  if (kind === 'm') ask(sid, { role: 'user', content: body['content'] });
  else if (kind === 'r') ask(sid, { role: 'tool', tool_call_id: body['call_id'], content: JSON.stringify(body['result']) });
  else call(sid, body as never);
});
await announcements.subscribe('f:wake');
ready();

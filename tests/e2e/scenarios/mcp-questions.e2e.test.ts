import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Chat } from '../start-chat.js';
import { useChats } from '../use-chats.js';
import { EVERYTHING, node, ODD, useMcp } from '../use-mcp.js';

const call = (tool: string, args = {}) => ({ calls: [{ tool, args }] });
const ASK_PERSON = 'mcp__everything__trigger-elicitation-request';
const ASK_MODEL = 'mcp__everything__trigger-sampling-request';
const chats = useChats({
  'who am I': [call(ASK_PERSON), { text: 'You are known.' }],
  'I say no': [call(ASK_PERSON), { text: 'As you wish.' }],
  'ask your model': [call(ASK_MODEL, { prompt: 'sum up the tides' }), { text: 'It was asked.' }],
  'do not ask it': [call(ASK_MODEL, { prompt: 'sum up the harbour' }), { text: 'It was not asked.' }],
  'ask unbidden': [call('mcp__odd__sample'), { text: 'It may not ask.' }],
  'just talk': [{ text: 'I am here.' }],
  'context: sum up the tides': [{ text: 'They come and go.' }],
});
const mcp = useMcp(chats);

/** What the model was told, with all that came before. */
const told = (): string => JSON.stringify(chats.model.requests.at(-1)?.body.messages);
/** Requests that the servers put to the model. */
const asked = (words: string): number =>
  chats.model.requests.filter(({ body }) => JSON.stringify(body).includes(`context: ${words}`)).length;

/** Waits until a question is shown and its keys count: first they are dim, so that nobody answers what they have not seen. */
const isAsked = (chat: Chat, pattern: RegExp): Promise<void> =>
  chat.until(`asks ${String(pattern)}`, () => pattern.test(chat.screen()) && chat.styleOf('Esc')?.underline === true);

/** A chat with the reference server; `settings` are beside its command in `mcp.json`. */
async function openWith(settings: object = {}): Promise<Chat> {
  await mcp.configure({ everything: { ...node(EVERYTHING, 'stdio'), ...settings } });
  const [proxy] = chats.system.proxies;
  const chat = await chats.open({ rows: 50, env: { CODELAB_LLM_PROXY_URL: proxy?.url } });
  await mcp.looks(chat, /everything\s+ready/);
  return chat;
}

test(verifies('H3:mcp-form', 'a form of a server is filled in at the chat, looked at, sent, and its answers reach the model'), async () => {
  const chat = await openWith();
  chat.say('who am I');
  await chat.decide(/everything:trigger-elicitation-request/, 'a');
  await isAsked(chat, /The MCP server everything asks \(1 of 13\)[^]*Please provide inputs[^]*Your full, legal name/);
  chat.press('enter');
  await chat.shows(/✗ [^]*\(1 of 13\)|\(1 of 13\)[^]*✗ /); // it is required
  chat.type('Ada Lovelace');
  for (let next = 2; next <= 13; next += 1) {
    chat.press('enter');
    await chat.shows(new RegExp(`\\(${String(next)} of 13\\)`));
  }
  chat.press('enter');
  await chat.shows(/String: Ada Lovelace[^]*Integer: 42[^]*Monica[^]*send.to.everything/);
  expect(told()).not.toContain('Ada Lovelace');
  chat.press('enter');
  await chat.shows('You are known.');
  expect(told()).toMatch(/User provided the requested information[^]*Name: Ada Lovelace[^]*Favorite Integer: 42/);
  await chat.rests();
});

test(verifies('H3:mcp-form', 'a form that is declined tells its server so, and the conversation goes on'), async () => {
  const chat = await openWith();
  chat.say('I say no');
  await chat.decide(/everything:trigger-elicitation-request/, 'a');
  await isAsked(chat, /\(1 of 13\)/);
  chat.press('escape');
  await chat.shows('As you wish.');
  expect(told()).toContain('User declined to provide the requested information');
  chat.say('just talk');
  await chat.shows('I am here.');
});

test(
  verifies('H3:mcp-sampling', 'a server asks a model only where its owner lets it, and each time only after the human has read what'),
  async () => {
    const chat = await openWith({ sampling: true });
    chat.say('ask your model');
    await chat.decide(/everything:trigger-sampling-request/, 'a');
    await isAsked(chat, /everything wants to ask the model, at your cost[^]*sum up the tides/);
    expect(asked('sum up the tides')).toBe(0);
    chat.press('enter');
    await chat.shows('It was asked.');
    expect(told()).toMatch(/LLM sampling result[^]*They come and go\./);
    chat.say('do not ask it');
    await chat.decide(/sum up the harbour/, 'a');
    await isAsked(chat, /wants to ask the model[^]*sum up the harbour/);
    chat.press('escape');
    await chat.shows('It was not asked.');
    expect(told()).toContain('The user did not allow it.');
    expect(asked('sum up the harbour')).toBe(0);
  },
);

test(
  verifies('H3:mcp-sampling', 'by itself no server may ask a model: none is told that it could, and one that asks anyway is refused'),
  async () => {
    const chat = await openWith();
    chat.say('ask your model');
    await chat.shows('It was asked.');
    expect(told()).toContain('TOOL_NOT_FOUND');
    await chat.close();
    await mcp.configure({ odd: node(ODD, 'sample') });
    const second = await chats.open();
    await mcp.looks(second, /odd\s+ready/);
    second.say('ask unbidden');
    await second.decide(/odd:sample/, 'a');
    await second.shows('It may not ask.');
    expect(told()).toMatch(/refused: [^"]*(sampling|no )/);
    second.say('just talk');
    await second.shows('I am here.');
    expect(second.screen()).not.toContain('wants to ask the model');
  },
);

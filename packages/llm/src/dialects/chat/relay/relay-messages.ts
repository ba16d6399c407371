import { editMembers, findJson, replaceJson } from '../../../json/index.js';
import type { Quirks } from '../../../quirks.js';
import { toWireCallId } from '../../../names/provider-call-id.js';
import { elementsOf, toList } from './relay-tools.js';
import { asList, asObject, type Fields } from '../../../json/read-json.js';

/** Changes of the messages that a server's quirks demand, and results of no call (RQ6). Where there are none the text stays as it is. */
export function relayMessages(text: string, body: Fields, quirks: Quirks): string {
  const messages = asList(body.messages).map(asObject);
  const withIds = quirks.tool_call_ids === 'alphanumeric9' ? mapIds(text, quirks) : text;
  const orphans = findOrphans(messages);
  if (orphans.size === 0 && !(quirks.content_text && messages.some(lacksText))) return withIds;
  const elements = elementsOf(withIds, 'messages');
  const edited = quirks.content_text ? elements.map((element, place) => giveText(element, messages[place] ?? {})) : elements;
  const list = toList(orphans.size === 0 ? edited : sayOrphans(edited, messages, orphans));
  const spans = [...findJson(withIds, ['messages'])].slice(-1);
  return replaceJson(
    withIds,
    spans.map((span) => ({ ...span, text: list })),
  );
}

/** The places of tool messages whose call the conversation doesn't have. They pass the check of a lenient proxy only. */
function findOrphans(messages: readonly Fields[]): ReadonlySet<number> {
  const calls = new Set<unknown>();
  const orphans = new Set<number>();
  for (const [place, { role, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === 'assistant') for (const call of asList(tool_calls)) calls.add(asObject(call).id);
    if (role === 'tool' && !calls.has(tool_call_id)) orphans.add(place);
  }
  return orphans;
}

/** Results of no call as text of the user, behind the results that they stand among. */
function sayOrphans(elements: readonly string[], messages: readonly Fields[], orphans: ReadonlySet<number>): string[] {
  const said: string[] = [];
  let waiting: string[] = [];
  for (const [place, element] of elements.entries()) {
    if (orphans.has(place)) {
      const text = toText(messages[place]?.content);
      if (text.trim() !== '') waiting.push(JSON.stringify({ role: 'user', content: `Tool result: ${text}` }));
      continue;
    }
    if (messages[place]?.role !== 'tool') {
      said.push(...waiting);
      waiting = [];
    }
    said.push(element);
  }
  return [...said, ...waiting];
}

function toText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asObject(part).text)
    .filter((text) => typeof text === 'string')
    .join('');
}

function mapIds(text: string, quirks: Quirks): string {
  const places = [
    ['messages', '*', 'tool_calls', '*', 'id'],
    ['messages', '*', 'tool_call_id'],
  ];
  const edits = places.flatMap((place) =>
    [...findJson(text, place)].map(({ start, end }) => {
      const id = JSON.parse(text.slice(start, end)) as string;
      return { start, end, text: JSON.stringify(toWireCallId(id, quirks)) };
    }),
  );
  return replaceJson(text, edits);
}

const isBlankCall = (call: unknown): boolean => {
  const { function: called } = asObject(call);
  return called !== undefined && (asObject(called).arguments ?? '') === '';
};

/** Ollama takes neither an answer without content nor a call without arguments (OL1). */
function lacksText({ role, content, tool_calls }: Fields): boolean {
  return role === 'assistant' && ((content ?? undefined) === undefined || asList(tool_calls).some(isBlankCall));
}

function giveText(element: string, message: Fields): string {
  if (!lacksText(message)) return element;
  const calls = asList(message.tool_calls);
  const spans = [...findJson(element, ['tool_calls', '*', 'function'])]
    .filter(({ path }) => isBlankCall(calls[Number(path[1])]))
    .map(({ start, end }) => ({ start, end, text: editMembers(element.slice(start, end), { arguments: '"{}"' }) }));
  const edited = replaceJson(element, spans);
  return (message.content ?? undefined) === undefined ? editMembers(edited, { content: '""' }) : edited;
}

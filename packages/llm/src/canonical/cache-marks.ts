import { estimateTokens } from './estimate-tokens.js';
import type { Growth } from './growth.js';
import { asObject } from '../json/read-json.js';
import type { CacheMark, Message, ModelRequest, Part, ModelTool } from './message.js';

/** Less than this no model caches: a mark would only cost. */
const MIN_TOKENS = 1_024;

/** Turns of user and tools that are marked, from the end: the last one is written to the cache, the one before is read from it. */
const MARKED_TURNS = 2;

/**
 * Marks a long conversation for the provider's cache, so that each request of an agent reads from it what the one before sent: the last
 * tool, the end of the system prompt, and the ends of the last two turns of the user and the tools. These are at most four marks, as many
 * as Anthropic takes. A short conversation, and one that has marks already, stays as it is.
 */
export function placeCacheMarks(request: ModelRequest, growth?: Growth): ModelRequest {
  if (hasMarks(request) || estimateTokens(request, growth) < MIN_TOKENS) return request;
  const { messages, tools } = request;
  const marked = new Set([endOfSystem(messages), ...endsOfTurns(messages)]);
  return {
    ...request,
    tools: tools.map((tool, place) => (place === tools.length - 1 ? { ...tool, cache: {} } : tool)),
    messages: messages.map((message, place) => (marked.has(place) ? markLast(message) : message)),
  };
}

function hasMarks({ tools, messages }: ModelRequest): boolean {
  return tools.some(({ cache }) => cache) || messages.some(({ parts }) => parts.some((part) => 'cache' in part && part.cache));
}

/** The place of the last system message before all others; -1 without. */
function endOfSystem(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return first === -1 ? messages.length - 1 : first - 1;
}

/** The places of the last messages before an answer of the model, latest first. */
function endsOfTurns(messages: readonly Message[]): number[] {
  const begin = endOfSystem(messages) + 1;
  const ends = [...messages.keys()].filter((place) => {
    const next = messages[place + 1];
    return place >= begin && messages[place]?.role !== 'assistant' && (next === undefined || next.role === 'assistant');
  });
  return ends.slice(-MARKED_TURNS);
}

function markLast(message: Message): Message {
  const place = message.parts.findLastIndex(isMarkable);
  return place === -1 ? message : { ...message, parts: message.parts.map((part, at) => (at === place ? { ...part, cache: {} } : part)) };
}

/** Thoughts can't be marked, and blank texts are never sent. */
function isMarkable(part: Part): boolean {
  return part.kind !== 'thinking' && part.kind !== 'redacted_thinking' && !(part.kind === 'text' && part.text.trim() === '');
}

/** As many as Anthropic takes. */
const MAX_MARKS = 4;

/**
 * Takes away the cache marks above four (RQ21). The most useful ones stay: the last one of tools and system, which everything else stands
 * behind, and the last ones of the conversation, which the next request begins with.
 */
export function limitCacheMarks(request: ModelRequest): ModelRequest {
  const head: object[] = request.tools.filter(({ cache }) => cache);
  const tail: object[] = [];
  let inHead = true;
  for (const { role, parts } of request.messages) {
    inHead &&= role === 'system';
    for (const part of parts) if (isMarked(part)) (inHead ? head : tail).push(part);
  }
  if (head.length + tail.length <= MAX_MARKS) return request;
  const lastOfTail = tail.slice(-(MAX_MARKS - Math.min(1, head.length)));
  const kept = new Set([...lastOfTail, ...head.slice(lastOfTail.length - MAX_MARKS)]);
  return {
    ...request,
    tools: request.tools.map((tool): ModelTool => (tool.cache && !kept.has(tool) ? unmark(tool) : tool)),
    messages: request.messages.map((message): Message => ({
      ...message,
      parts: message.parts.map((part) => (isMarked(part) && !kept.has(part) ? unmark(part) : part)),
    })),
  };
}

type Markable = Extract<Part, { readonly cache?: unknown }>;

/** Whether a mark of the part can go out: blank texts don't. */
function isMarked(part: Part): part is Markable {
  return 'cache' in part && part.cache !== undefined && !(part.kind === 'text' && part.text.trim() === '');
}

function unmark<T extends { readonly cache?: unknown }>(marked: T): T {
  return { ...marked, cache: undefined };
}

/** Reads `cache_control`, as Anthropic's clients put it on parts and tools. Anything else than `ephemeral` is no mark. */
export function decodeCacheMark(value: unknown): CacheMark | undefined {
  const { type, ttl } = asObject(value);
  if (type !== 'ephemeral') return undefined;
  return ttl === '5m' || ttl === '1h' ? { ttl } : {};
}

import type { Message, ModelRequest, ModelTool, Part } from '../../../canonical/message.js';

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

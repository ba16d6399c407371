import { type Fold, Growth } from './growth.js';
import type { ModelRequest, ModelTool, Part } from './message.js';
import { Memo } from '../memo.js';
import { describeTool } from '../dialects/chat/request/vendor-tools.js';

/** Characters of English text or code to a token, as today's tokenizers cut them. */
const CHARACTERS_PER_TOKEN = 3.7;
/** JSON is cut finer: braces and quotes are tokens of their own. */
const JSON_CHARACTERS_PER_TOKEN = 3;
/** Chinese, Japanese and Korean characters, and emoji: about one token each. */
const WIDE = /[\u1100-\u11FF\u2E80-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFF00-\uFFEF]|[\u{1F000}-\u{3FFFF}]/gu;
/** Around each message: its role and its borders. */
const MESSAGE_TOKENS = 4;
/** Around each tool, and once for how to call them. */
const TOOL_TOKENS = 12;
const TOOLS_TOKENS = 250;
/** What vendors count for an image of the usual size, 1.15 megapixels: the bytes don't say how large it is. */
const IMAGE_TOKENS = 1_600;

/**
 * How many tokens a request has, roughly: for servers that can't count, and to decide what is worth caching. Within a fifth of the true
 * number for prose and code; every model counts differently.
 * @param growth of the conversation, where it goes on
 */
export function estimateTokens({ messages, tools }: ModelRequest, growth?: Growth): number {
  const said = (growth ?? new Growth()).fold(messages, SAID).sum.tokens;
  return Math.ceil(said + (growth === undefined ? countTools(tools) : TOOLS.get(tools, [], () => countTools(tools))));
}

const SAID: Fold<{ tokens: number }> = {
  key: estimateTokens,
  begin: () => ({ tokens: 0 }),
  add: (said, { parts }) => {
    said.tokens += parts.reduce((sum, part) => sum + countPart(part), MESSAGE_TOKENS);
  },
};

const TOOLS = new Memo<ModelRequest['tools'], number>();

const countTools = (tools: ModelRequest['tools']): number =>
  tools.reduce((sum, tool) => sum + countTool(tool), tools.length > 0 ? TOOLS_TOKENS : 0);

function countPart(part: Part): number {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return countText(part.text);
    case 'image':
      return IMAGE_TOKENS;
    case 'redacted_thinking':
      return part.data.length / CHARACTERS_PER_TOKEN;
    case 'tool_call':
      return TOOL_TOKENS + countText(part.name) + countText(part.arguments, JSON_CHARACTERS_PER_TOKEN);
    case 'tool_result':
      return TOOL_TOKENS + countText(part.content) + (part.images?.length ?? 0) * IMAGE_TOKENS;
  }
}

function countTool(tool: ModelTool): number {
  const { description, parameters } = describeTool(tool);
  return TOOL_TOKENS + countText(tool.name) + countText(description) + countText(JSON.stringify(parameters), JSON_CHARACTERS_PER_TOKEN);
}

/** How many tokens a text has, roughly. */
export function countText(text: string, charactersPerToken = CHARACTERS_PER_TOKEN): number {
  const wide = text.match(WIDE) ?? [];
  const units = wide.reduce((sum, character) => sum + character.length, 0);
  return wide.length + (text.length - units) / charactersPerToken;
}

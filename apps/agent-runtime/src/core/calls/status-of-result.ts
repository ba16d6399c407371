import type { ServerFrameOf } from '@codelab/protocol';
import { isJsonObject, readMcpToolName } from '@codelab/tools';
import { errorContent, type CallResult } from './call-result.js';

type ToolStatus = ServerFrameOf<'tool_status'>;

/** Of the words of an error, in characters: people read why, not all of it. */
const MAX_MESSAGE = 500;

/**
 * Where a call stands that has its result, and why it failed, for people who watch: only its executor knows more. A tool of an MCP server that
 * says itself that it failed has failed.
 */
export function statusOfResult(toolName: string, result: CallResult): Pick<ToolStatus, 'status' | 'error'> {
  const { outcome, isError } = result;
  if (outcome === 'CANCELLED') return { status: 'canceled' };
  const error = isError ? { code: outcome, message: messageOf(result) } : findMcpFailure(toolName, result);
  if (error === undefined) return { status: 'done' };
  return { status: 'errored', error: { code: error.code.slice(0, 64), message: shorten(error.message) } };
}

const messageOf = ({ content, outcome }: CallResult): string => {
  const prefix = errorContent(outcome, '');
  return content.startsWith(prefix) ? content.slice(prefix.length) : content;
};

function findMcpFailure(toolName: string, { content }: CallResult): ToolStatus['error'] {
  if (readMcpToolName(toolName) === undefined || !content.includes('"isError"')) return undefined;
  const result: unknown = JSON.parse(content);
  if (!isJsonObject(result) || result['isError'] !== true) return undefined;
  const blocks: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const texts = blocks.flatMap((block) => (isJsonObject(block) && typeof block['text'] === 'string' ? block['text'] : []));
  return { code: 'TOOL_FAILED', message: texts.join('\n') };
}

const shorten = (message: string): string => (message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 2)} …` : message);

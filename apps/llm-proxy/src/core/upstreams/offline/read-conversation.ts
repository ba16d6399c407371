import { NOTE_PREFIX, type Message, type ToolCallPart, type ToolResultPart } from '@codelab/llm';
import type { Outcome } from './task.js';

/** What the built-in model makes of a conversation. */
export interface Conversation {
  /** What the person said last, or nothing. */
  readonly request: string;
  /** What came of the calls since then, in order. */
  readonly outcomes: readonly Outcome[];
  /** Nothing was answered in words before. */
  readonly isFirst: boolean;
}

const ERROR = /^Error \[([A-Z_]+)\]:?\s*([\s\S]*)$/;

/** Reads a conversation: notes of the servers are not what the person said. */
export function readConversation(messages: readonly Message[]): Conversation {
  const last = messages.findLastIndex((message) => message.role === 'user' && !textOf(message).startsWith(NOTE_PREFIX));
  const before = messages.slice(0, Math.max(last, 0));
  const since = messages.slice(last + 1);
  return {
    request: last < 0 ? '' : wordsOf(textOf(messages[last] as Message)),
    outcomes: toOutcomes(since),
    isFirst: !before.some(({ role, parts }) => role === 'assistant' && parts.every(({ kind }) => kind === 'text')),
  };
}

/** What stands behind the words of a message: the names of attached files, then what was read of them. */
const ATTACHED = /\n\nAttached files: [^\n]*$/;
const CONTENTS = /(\n\nAttached files: [^\n]*)\n\n<file name=[\s\S]*$/;
/** Commands of the user, whose output goes with a message: they ask for nothing. */
const RAN = /(?:\n\nAttached files: |, )the user ran: [^\n]*$/;
const MENTION = /(^|\s)@([^\s@]+?)(?::\d+(?:-\d+)?)?(?=[\s,;!?]|$)/g;

/** What the person said. Mentioned files are plain paths; those that are attached without a mention stay named behind it. */
function wordsOf(text: string): string {
  const named = text.replace(CONTENTS, '$1').replace(RAN, '');
  const plain = named.replace(MENTION, '$1$2');
  return plain === named ? named : plain.replace(ATTACHED, '');
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

/** A result belongs to the last call before it that has its id: the ids of one answer come again in the next. */
function toOutcomes(messages: readonly Message[]): Outcome[] {
  const results = new Map<string, ToolResultPart>();
  const outcomes: Outcome[] = [];
  for (const part of messages.flatMap(({ parts }) => parts).toReversed()) {
    if (part.kind === 'tool_result') results.set(part.id, part);
    if (part.kind !== 'tool_call') continue;
    outcomes.push(toOutcome(part, results.get(part.id)));
    results.delete(part.id);
  }
  return outcomes.toReversed();
}

function toOutcome({ name: tool, arguments: text }: ToolCallPart, result: ToolResultPart | undefined): Outcome {
  const call = { tool, args: parse(text) ?? {} };
  if (!result) return { ...call, ok: false, code: 'OUTCOME_UNKNOWN', message: '' };
  const error = result.isError ? (ERROR.exec(result.content) ?? ['', 'FAILED', result.content]) : null;
  if (error) return { ...call, ok: false, code: error[1] ?? '', message: (error[2] ?? '').trim() };
  return { ...call, ok: true, text: result.content, value: parse(result.content) ?? {} };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // plain text is a result too
  }
}

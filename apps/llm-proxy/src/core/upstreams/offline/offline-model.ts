import { setImmediate as nextTurn } from 'node:timers/promises';
import { LlmError, type ModelRequest, type StreamPart } from '@codelab/llm';
import { helpText, WHO_I_AM } from './help.js';
import { makePlan, type Plan } from './make-plan.js';
import { OfferedTools } from './offered-tools.js';
import { code, join } from './phrases.js';
import { playPlan, type Standing } from './play-plan.js';
import { readConversation, type Conversation } from './read-conversation.js';
import type { Task, ToolUse } from './task.js';

/** What needs no apology to be answered with help. */
const TALK = /^(?:help|hi|hello|hey|thanks?|thank you|who are you|what (?:are you|can you do)|안녕\S*|도움말?|привет|помощь)?[!.?]*$/i;

interface Reply {
  readonly text: string;
  readonly calls: readonly ToolUse[];
}

/** Words in one piece of streamed text. */
const WORDS_A_PIECE = 3;
/** Arguments come in pieces too, at most so many. */
const MAX_ARGUMENT_PIECES = 16;
const MIN_PIECE_CHARACTERS = 64;

/**
 * The built-in model (docs/specification/llm-proxy.md#offline): rules that understand a handful of plain requests and carry them out through the tools
 * offered, one real call after another. Decides from the conversation alone and always the same way; makes each planned call once;
 * explains and stops after a failure or a rejection. It uses no tokens. Throws only `cancelled`.
 */
export async function* offlineModel(
  request: ModelRequest,
  signal?: { readonly aborted: boolean },
): AsyncGenerator<StreamPart, void, undefined> {
  const tools = new OfferedTools(request.tools);
  const { text, calls } = toReply(readConversation(request.messages), tools);
  for (const piece of piecesOf(text)) {
    await pause(signal);
    yield { kind: 'text_delta', text: piece };
  }
  for (const [index, call] of calls.entries()) {
    await pause(signal);
    yield { kind: 'tool_call_start', index, id: `offline_${index}`, name: tools.nameOf(call.tool) ?? call.tool };
    for (const piece of cut(tools.argumentsOf(call))) yield { kind: 'tool_call_delta', index, arguments: piece };
    yield { kind: 'tool_call_end', index };
  }
  yield { kind: 'finish', reason: calls.length > 0 ? 'tool_calls' : 'stop', usage: { inputTokens: 0, outputTokens: 0 } };
}

function toReply(conversation: Conversation, tools: OfferedTools): Reply {
  const plan = makePlan(conversation.request);
  const tasks = plan.stages.flat();
  if (tasks.length === 0) return { text: notUnderstood(conversation.request, tools), calls: [] };
  const missing = [...new Set(tasks.flatMap((task) => task.tools.filter((tool) => tools.nameOf(tool) === undefined)))];
  if (missing.length > 0) return { text: notOffered(tasks, missing, tools), calls: [] };
  const standing = playPlan(plan, conversation.outcomes, (tool) => tools.nameOf(tool));
  if (standing.kind === 'done') return { text: summary(standing, plan, conversation.isFirst), calls: [] };
  const beginning = standing.beginning.map(({ doing }) => doing);
  return { text: beginning.length === 0 ? '' : `I'll ${join(beginning)}.`, calls: standing.calls };
}

function summary({ reports, left }: Extract<Standing, { kind: 'done' }>, { unknown }: Plan, isFirst: boolean): string {
  return [
    ...reports.map(({ text }) => text),
    ...(left.length > 0 ? [`So I did not ${join(left.map(({ doing }) => doing))}.`] : []),
    ...(unknown.length > 0 ? [`I did not understand ${join(unknown.map((wish) => code(wish.slice(0, 200))))}.`] : []),
    ...(isFirst ? [`(${WHO_I_AM})`] : []),
  ].join('\n\n');
}

function notUnderstood(request: string, tools: OfferedTools): string {
  const isTalk = TALK.test(request.trim().slice(0, 100));
  return `${isTalk ? '' : 'I did not understand that. '}${helpText(tools)}`;
}

function notOffered(tasks: readonly Task[], missing: readonly string[], tools: OfferedTools): string {
  const blocked = tasks.filter((task) => !tools.has(task.tools)).map(({ doing }) => doing);
  return `I can't ${join([...new Set(blocked)])}: this client does not offer ${join(missing.map(code))}. I did nothing.\n\n${helpText(tools)}`;
}

function piecesOf(text: string): string[] {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  return Array.from({ length: Math.ceil(words.length / WORDS_A_PIECE) }, (_, i) =>
    words.slice(i * WORDS_A_PIECE, (i + 1) * WORDS_A_PIECE).join(''),
  );
}

function* cut(text: string): Iterable<string> {
  const size = Math.max(MIN_PIECE_CHARACTERS, Math.ceil(text.length / MAX_ARGUMENT_PIECES));
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function pause(signal: { readonly aborted: boolean } | undefined): Promise<void> {
  await nextTurn();
  if (signal?.aborted) throw new LlmError('cancelled', 'The request was cancelled.');
}

import type { ToolCall, ToolCallContent, ToolCallLocation, ToolCallStatus } from '@agentclientprotocol/sdk';
import { lastLines, type CallItem, type CallProgress } from '@codelab/client/view';
import { findTool, isJsonObject, pathsOfCall } from '@codelab/tools';
import { planOf } from '@codelab/tools/human';
import { toDiffs } from './diff-content.js';
import { kindOf, titleOf } from './tool-faces.js';

/** What an editor needs to know of the session to be shown a call. */
export interface CallPlace {
  /** The absolute path of a path of the workspace. */
  readonly toPath: (path: string) => string;
  /** The terminal of the editor in which a call runs, if it does. */
  readonly terminalOf: (callId: string) => string | undefined;
}

const STATUS: Readonly<Record<CallProgress, ToolCallStatus>> = {
  waiting: 'pending',
  ready: 'pending',
  running: 'in_progress',
  done: 'completed',
  failed: 'failed',
  rejected: 'failed',
  cancelled: 'failed',
  unknown: 'failed',
};

/** Characters of a result that an editor is sent; the conversation has all of it. */
const MAX_RESULT = 16_000;
const MAX_OUTPUT_LINES = 200;
const MAX_LOCATIONS = 20;

/** A call as an editor is told of it, in its present state. */
export function toToolCall(call: CallItem, place: CallPlace): ToolCall & { readonly status: ToolCallStatus } {
  return {
    toolCallId: call.callId,
    name: call.toolName,
    title: titleOf(call.toolName, call.args),
    kind: kindOf(call.toolName),
    status: STATUS[call.progress],
    content: [...contentOf(call, place)],
    locations: [...locationsOf(call, place)],
    rawInput: readArguments(call.args),
    rawOutput: outputOf(call),
  };
}

/** A block of text. */
export const textContent = (text: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text } });

/** Text as it stands, in a fence that nothing in it can end. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function contentOf(call: CallItem, place: CallPlace): readonly ToolCallContent[] {
  const terminalId = place.terminalOf(call.callId);
  const plan = planOf(call);
  const parts: ToolCallContent[] = [...previewOf(call, place)];
  if (plan !== undefined) parts.push(textContent(plan));
  if (terminalId !== undefined) parts.push({ type: 'terminal', terminalId });
  else parts.push(...printedOf(call, parts.length > 0));
  const why = reasonOf(call);
  return why === undefined ? parts : [...parts, textContent(why)];
}

/** What a call would change. One that failed or was refused changed nothing: its diff goes. */
function previewOf({ preview, progress }: CallItem, { toPath }: CallPlace): readonly ToolCallContent[] {
  if (preview?.kind !== 'diff' || progress === 'failed' || progress === 'cancelled') return [];
  const diffs = toDiffs(preview.text, toPath);
  if (diffs.length > 0) return diffs.map(({ diff }) => ({ type: 'diff', ...diff }));
  return preview.text.trim() === '' ? [] : [textContent(fenced(preview.text))];
}

/** What it has printed while it runs, and then what came out of it; of a change that is the change. */
function printedOf({ output, result, progress, toolName }: CallItem, hasMore: boolean): readonly ToolCallContent[] {
  if (progress === 'running' && output !== undefined) return [textContent(fenced(lastLines(output, MAX_OUTPUT_LINES).join('\n')))];
  if (progress !== 'done' || hasMore || result === undefined || result === '' || kindOf(toolName) === 'edit') return [];
  return [textContent(fenced(result.length > MAX_RESULT ? `${result.slice(0, MAX_RESULT)}\n…` : result))];
}

function reasonOf({ progress, error, feedback, masks = [], exitCode }: CallItem): string | undefined {
  if (progress === 'rejected') return feedback === undefined ? 'Rejected.' : `Rejected: ${feedback}`;
  if (progress === 'cancelled') return 'Cancelled.';
  if (error !== undefined) return `${error.code}: ${error.message}`;
  if (progress === 'unknown') return 'Whether it took effect is not known.';
  const notes = masks.map((mask) => `${mask} is masked before the model: \`codelab secrets allow\` shows it.`);
  if (exitCode !== undefined) notes.unshift(exitCode === null ? 'It was ended before its time.' : `Exit code ${exitCode}.`);
  return notes.length === 0 ? undefined : notes.join('\n');
}

/** The files that a call is about; a change where it begins. */
function locationsOf({ toolName, args, preview }: CallItem, { toPath }: CallPlace): readonly ToolCallLocation[] {
  if (preview?.kind === 'diff') {
    const diffs = toDiffs(preview.text, toPath);
    if (diffs.length > 0) return diffs.slice(0, MAX_LOCATIONS).map(({ diff, line }) => ({ path: diff.path, line }));
  }
  const given = readArguments(args);
  const tool = findTool(toolName);
  if (tool === undefined || !isJsonObject(given)) return [];
  const paths = pathsOfCall(tool, given) ?? [];
  const { offset } = given;
  const line = typeof offset === 'number' ? { line: offset } : {};
  return paths.slice(0, MAX_LOCATIONS).map((path) => ({ path: toPath(path), ...line }));
}

function outputOf({ result, error, exitCode, summary }: CallItem): unknown {
  if (result === undefined && error === undefined && summary === undefined) return undefined;
  const text = result !== undefined && result.length > MAX_RESULT ? `${result.slice(0, MAX_RESULT)}…` : result;
  return { result: text, error, summary, exit_code: exitCode };
}

function readArguments(args: string): unknown {
  try {
    return JSON.parse(args) as unknown;
  } catch {
    return args; // shown as it came
  }
}

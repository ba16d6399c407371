import { setImmediate as nextTurn } from 'node:timers/promises';
import { LlmError, type ModelRequest, type StreamPart } from '@codelab/llm';
import { makePlan, type Plan } from './make-plan.js';
import { OfferedTools } from './offered-tools.js';
import { code, join } from './phrases.js';
import { readConversation, type Conversation } from './read-conversation.js';
import { WORDINGS } from './wordings/wordings.js';
import type { Task, ToolUse, Outcome, Play, Report } from './task.js';

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
  const standing = playPlan(plan, conversation.outcomes, tools);
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
  return `I can't ${join([...new Set(blocked)])}: this client does not offer ${join(missing.map((tool) => code(WORDINGS[tool]?.[0]?.name ?? tool)))}. I did nothing.\n\n${helpText(tools)}`;
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

/** Where a plan stands after the outcomes so far. */
type Standing =
  /** To be called next, side by side. `beginning`: the tasks whose first calls these are. */
  | { readonly kind: 'calls'; readonly calls: readonly ToolUse[]; readonly beginning: readonly Task[] }
  /** Everything is done, or something failed or was refused: `left` was not begun. */
  | { readonly kind: 'done'; readonly reports: readonly Report[]; readonly left: readonly Task[] };

interface Running {
  readonly task: Task;
  readonly play: Play;
  next: IteratorResult<ToolUse, Report>;
  begun: boolean;
}

/**
 * Plays a plan again from its beginning with the outcomes so far, and says what comes next. It keeps nothing in between: whoever has
 * the conversation can go on. Each call is made once, and nothing is begun after a failure.
 */
function playPlan({ stages }: Plan, outcomes: readonly Outcome[], tools: OfferedTools): Standing {
  const reports: Report[] = [];
  let used = 0;
  for (const [at, stage] of stages.entries()) {
    const running = stage.map((task) => start(task, tools));
    for (let waiting = running; waiting.length > 0; waiting = running.filter(({ next }) => !next.done)) {
      const calls = waiting.map(({ next }) => next.value as ToolUse);
      if (used >= outcomes.length)
        return { kind: 'calls', calls, beginning: waiting.filter(({ begun }) => !begun).map(({ task }) => task) };
      for (const each of waiting) {
        const use = each.next.value as ToolUse;
        each.begun = true;
        each.next = each.play.next(check(outcomes[used++], use, tools));
      }
    }
    const said = running.map(({ next }) => next.value as Report);
    reports.push(...said);
    if (said.some(({ failed, stop }) => failed === true || stop === true))
      return { kind: 'done', reports, left: stages.slice(at + 1).flat() };
  }
  return { kind: 'done', reports, left: [] };
}

function start(task: Task, tools: OfferedTools): Running {
  const play = task.play((tool) => tools.has([tool]));
  return { task, play, next: play.next(), begun: false };
}

/** The outcome of `use`: that of another tool means that the conversation is not the one this plan began. */
function check(outcome: Outcome | undefined, use: ToolUse, tools: OfferedTools): Outcome {
  if (outcome !== undefined && outcome.tool === tools.nameOf(use.tool)) return tools.read(use, outcome);
  return { tool: use.tool, args: use.args, ok: false, code: 'OUTCOME_UNKNOWN', message: 'I lost track of what was called.' };
}

/** Said plainly, so that nobody takes it for more than it is. */
const WHO_I_AM =
  "I am CodeLab's built-in offline model: a set of rules, not a language model. To talk to one, set OPENAI_API_KEY for llm-proxy (and " +
  'OPENAI_BASE_URL for another OpenAI-compatible server, such as Ollama), CODELAB_MODEL to name the model, and start it again.';

const EXAMPLES: readonly (readonly [tools: readonly string[], example: string])[] = [
  [['read_file'], 'what does this repository do?'],
  [['read_file'], 'read README.md'],
  [['read_file'], 'read a.txt and b.txt'],
  [['list_files'], 'list files in src'],
  [['search_in_project'], 'search for "TODO" in src'],
  [['git.diff'], 'show the diff'],
  [['git.status'], 'git status'],
  [['write_file'], 'create notes.txt with "Hello"'],
  [['read_file', 'write_file'], 'replace "colour" with "color" in notes.txt'],
  [['read_file', 'write_file'], 'append "one more line" to notes.txt'],
  [['delete_file'], 'delete notes.txt'],
  [['move_file'], 'move notes.txt to old.txt'],
  [['apply_patch'], 'apply this patch: (and a diff)'],
  [['apply_patch_review'], 'review and apply this patch: (and a diff)'],
  [['prompt_user'], 'ask me "Go on?", then create done.txt with "yes"'],
  [['run_command'], 'run npm test'],
  [['process.start'], 'start npm run dev as dev'],
  [['kill_process'], 'stop dev'],
  [['git.branch'], 'create branch feature/x'],
  [['git.commit'], 'commit all with message "Add notes"'],
  [['web.fetch'], 'fetch https://example.com'],
  [['web.search'], 'search the web for "tide tables"'],
];

/** What can be asked for with the tools at hand. */
function helpText(tools: OfferedTools): string {
  const possible = EXAMPLES.filter(([names]) => tools.has(names)).map(([, example]) => `- ${example}`);
  if (possible.length === 0) return `${WHO_I_AM}\n\nNo tool that I know was offered to me, so I can do nothing here.`;
  return `${WHO_I_AM}\n\nI understand requests such as:\n\n${possible.join('\n')}\n\nSeveral may stand in one message, joined by "and" or "then".`;
}

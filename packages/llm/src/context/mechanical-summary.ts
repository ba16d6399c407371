import type { SaidItem, ToolItem } from '../history/history-item.js';
import { headAndTail, subjectOf } from '../history/left-out.js';
import type { CompactionPlan } from './plan-compaction.js';
import { nameOf } from './transcript.js';

const MAX_MESSAGES = 12;
const MAX_FILES = 60;
const MAX_RESULTS = 6;

/** Calls that change something. */
const CHANGES = /write|edit|patch|replace|create|delete|move|rename|insert|commit|undo/i;

/**
 * The words of the user that a summary must not lose, those of the summaries before too: all messages while they are few, else the first and the last,
 * each cut where it is long.
 */
export function userWords({ said, kept }: Pick<CompactionPlan, 'said' | 'kept'>, characters: number): string {
  if (said.length === 0) return '';
  const shown = said.length <= MAX_MESSAGES ? said : [said[0]!, ...said.slice(1 - MAX_MESSAGES)];
  const each = Math.max(200, Math.floor(characters / shown.length));
  const isOpen = !kept.some(({ role }) => role === 'user');
  const lines = shown.map((item, place) => {
    const isLast = isOpen && place === shown.length - 1;
    return `- ${isLast ? '(the latest) ' : ''}${headAndTail(item.content, isLast ? Math.max(each, Math.floor(characters / 2)) : each)}`;
  });
  return `The user's messages, literally${said.length > shown.length ? ` (${String(said.length - shown.length)} between are left out)` : ''}:\n${lines.join('\n')}`;
}

/**
 * A summary that no model wrote, for when none can: the summary before, what the user said, what was changed, and the last results.
 * @param characters how long it may be, roughly
 */
export function mechanicalSummary(plan: CompactionPlan, characters: number): string {
  const share = Math.floor(characters / 4);
  const parts = [
    plan.before === undefined ? '' : `Before:\n${headAndTail(plan.before, share)}`,
    userWords(plan, share),
    changes(plan.items, share),
    lastResults(plan.items, share),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function changes(items: readonly SaidItem[], characters: number): string {
  const failed = new Set(items.flatMap((item) => (item.role === 'tool' && item.is_error ? [item.call_id] : [])));
  const done = items.flatMap((item) => (item.role === 'assistant' ? item.tool_calls : []));
  const lines = done.flatMap((call) => {
    const subject = subjectOf(call.arguments);
    const counts = CHANGES.test(call.tool_name) && subject !== '' && !failed.has(call.call_id);
    return counts ? [`- ${nameOf(call)} ${subject}`] : [];
  });
  const shown = [...new Set(lines)].slice(-MAX_FILES);
  return shown.length === 0 ? '' : headAndTail(`What was changed:\n${shown.join('\n')}`, characters);
}

function lastResults(items: readonly SaidItem[], characters: number): string {
  const results = items.filter((item): item is ToolItem => item.role === 'tool').slice(-MAX_RESULTS);
  const lastAnswer = items.findLast((item) => item.role === 'assistant' && item.content.trim() !== '');
  const each = Math.floor(characters / (results.length + 1));
  const lines = results.map(({ tool_name, content }) => `- ${tool_name}: ${headAndTail(content, each)}`);
  const said = lastAnswer === undefined ? '' : `The assistant said last: ${headAndTail(lastAnswer.content, each)}\n`;
  return results.length === 0 ? said.trimEnd() : `${said}The last results:\n${lines.join('\n')}`;
}

import { describeCall } from '@codelab/tools';
import { isSettled, type CallItem, type CallProgress, formatPlural, callFacts, shownProgress, lastLines } from '@codelab/client/view';
import { planOf, sanitiseLine, toolTitle } from '@codelab/tools/human';
import { renderPlan } from '../approval/plan.js';
import { MAX_PROSE_COLUMNS } from '../markdown/render-markdown.js';
import { renderDiff } from '../diff/render-diff.js';
import { readDiff } from '@codelab/tools/patch';
import type { Line, Span, StyleName } from '../text/span.js';
import { span } from '../text/span.js';
import { measure, truncateLine, wrapSpans } from '../text/wrap-spans.js';
import { fingerprintOf } from '../text/secret-masks.js';
import type { Look } from './look.js';
import { spinnerAt } from './look.js';

/** Names are padded to this many columns, so that the arguments of calls in a row line up. */
const NAME_COLUMNS = 12;
/** Rows of a change that stay in the transcript; the approval showed all of it. */
const MAX_DIFF_ROWS = 16;

/** Lines of a running command that are shown. */
const MAX_OUTPUT_ROWS = 4;

const SYMBOLS: Readonly<Record<Exclude<CallProgress, 'running'>, readonly [string, StyleName]>> = {
  waiting: ['⏸', 'approval'],
  ready: ['…', 'muted'],
  done: ['✓', 'good'],
  failed: ['✗', 'bad'],
  rejected: ['✗', 'warn'],
  cancelled: ['↷', 'muted'],
  unknown: ['?', 'warn'],
};

/** Draws a tool call: one line with its state and duration, why it failed, and the change that it made. */
export function renderCall(call: CallItem, look: Look): readonly Line[] {
  return [
    headLine(call, look),
    ...activityLines(call, look),
    ...outputLines(call, look),
    ...reasonLines(call, look),
    ...maskLines(call, look),
    ...changeLines(call, look),
    ...planLines(call, look),
  ];
}

function symbolOf(call: CallItem, nowMs: number): readonly [string, StyleName] {
  const progress = shownProgress(call);
  return progress === 'running' ? [spinnerAt(nowMs), 'accent'] : SYMBOLS[progress];
}

function headLine(call: CallItem, look: Look): Line {
  const [symbol, style] = symbolOf(call, look.nowMs);
  const name = toolTitle(call.toolName);
  const head = [span(symbol, style), span(` ${name.padEnd(NAME_COLUMNS)}`, isSettled(call) ? 'plain' : 'strong')];
  const tail = callFacts(call, look.nowMs).map((part, index) => span(index === 0 ? `  ${part}` : ` · ${part}`, 'muted'));
  const room = look.width - measure(head) - measure(tail) - 1;
  const text = planOf(call) === undefined ? describeCall(call.toolName, call.args) : '';
  const argument = truncateLine([span(sanitiseLine(text, 400))], Math.max(8, room));
  return truncateLine([...head, span(' '), ...argument, ...tail], look.width);
}

/** What the agent of a task does now; once it has ended, how much it did stands behind its name. */
function activityLines({ activity, progress }: CallItem, look: Look): readonly Line[] {
  if (activity === undefined || progress !== 'running') return [];
  const { toolName, args } = activity.latest;
  const text = `${toolTitle(toolName)} ${sanitiseLine(describeCall(toolName, args), 400)}`;
  return [truncateLine([span(`  └ ${formatPlural(activity.calls, 'call')} · `, 'muted'), span(text, 'muted')], look.width)];
}

function reasonLines(call: CallItem, look: Look): readonly Line[] {
  const indented = (spans: readonly Span[]): readonly Line[] => wrapSpans(spans, { width: look.width, first: [span('  ')] });
  if (call.progress === 'rejected')
    return call.feedback ? indented([span(call.byPolicy ? call.feedback : `“${call.feedback}”`, 'muted')]) : [];
  if (!call.error || call.progress === 'cancelled') return [];
  return indented([span(call.error.code, call.progress === 'unknown' ? 'warn' : 'bad'), span(`  ${call.error.message}`, 'muted')]);
}

/** Tools whose output is what people look at: it stays, and more of it is shown. */
const SHOWN_TOOLS: Readonly<Record<string, number>> = { 'kernel.execute': 12 };

/** The end of what a running call prints; it goes when the call ends, unless its command failed or it is what was wanted. */
function outputLines(call: CallItem, look: Look): readonly Line[] {
  const isFailed = call.progress === 'done' && call.exitCode !== undefined;
  const rows = SHOWN_TOOLS[call.toolName];
  if (!call.output || (call.progress !== 'running' && !isFailed && rows === undefined)) return [];
  return lastLines(call.output, rows ?? MAX_OUTPUT_ROWS).map((line) =>
    truncateLine([span('  │ ', 'muted'), span(oneRow(line), 'muted')], look.width),
  );
}

const oneRow = (line: string): string => line.replaceAll('\t', '    ').slice(0, 1_000);

/** The secrets that the model didn't get to see, and how it can. */
function maskLines({ masks = [] }: CallItem, look: Look): readonly Line[] {
  return masks.flatMap((mask) =>
    wrapSpans([span(`${mask} is masked: codelab secrets allow ${fingerprintOf(mask)} shows it to the model`, 'muted')], {
      width: look.width,
      first: [span('  ')],
    }),
  );
}

/** A plan stays to be read once it is decided; before, it stands in its panel. */
function planLines(call: CallItem, look: Look): readonly Line[] {
  const plan = isSettled(call) || call.progress === 'ready' ? planOf(call) : undefined;
  if (plan === undefined) return [];
  return renderPlan(plan, { ...look, width: Math.min(look.width, MAX_PROSE_COLUMNS) - 2 }).map((line): Line => [span('  '), ...line]);
}

function changeLines(call: CallItem, look: Look): readonly Line[] {
  if (call.progress !== 'done' || call.preview?.kind !== 'diff') return [];
  const rows = renderDiff(call.preview.text, look.width - 2, look.highlight);
  const shown = readDiff(call.preview.text)?.length === 1 ? rows.slice(1) : rows;
  const cut = shown.length > MAX_DIFF_ROWS ? [[span(`⋯ ${shown.length - MAX_DIFF_ROWS + 1} more rows`, 'muted')]] : [];
  const kept = cut.length > 0 ? shown.slice(0, MAX_DIFF_ROWS - 1) : shown;
  return [...kept, ...cut].map((line) => [span('  '), ...line]);
}

import { describeCall } from '@codelab/tools';
import { type CallItem, type Item, stripSteering } from '@codelab/client/view';
import { sanitiseLine, toolTitle } from '@codelab/tools/human';
import { renderDiff } from '../diff/render-diff.js';
import { span, type Line } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';
import type { Look } from './look.js';
import { renderThought } from './render-item.js';

/** Calls and thoughts that can be opened again. */
const MAX_CALLS = 20;
const MAX_LINE = 2_000;

/** All that is known of the last calls and thoughts, the latest first: what each was given, the change it made, what came out of it. */
export function renderCallDetails(items: readonly Item[], look: Look): readonly Line[] {
  const done = items.filter((item) => item.kind === 'call' || item.kind === 'thought').slice(-MAX_CALLS);
  const shown: Look = { ...look, thoughts: 'shown' };
  return done.toReversed().flatMap((item) => [...(item.kind === 'thought' ? renderThought(item, shown) : renderOne(item, look)), []]);
}

function renderOne(call: CallItem, look: Look): readonly Line[] {
  const { width } = look;
  const title = wrapSpans(
    [span(toolTitle(call.toolName), 'strong'), span(` ${sanitiseLine(describeCall(call.toolName, call.args), MAX_LINE)}`)],
    {
      width,
      first: [span('── ', 'muted')],
      rest: [span('   ')],
    },
  );
  const task = call.taskCallId === undefined ? undefined : 'for a task';
  const state = [span(`   ${[call.progress, task, call.summary].filter((part) => part !== undefined).join(' · ')}`, 'muted')];
  const error = call.error
    ? wrapSpans([span(`${call.error.code}: ${call.error.message}`)], { width, first: [span('   ')], rest: [span('   ')] })
    : [];
  const diff = call.preview?.kind === 'diff' ? renderDiff(call.preview.text, width, look.highlight) : [];
  return [...title, state, ...error, ...diff, ...linesOf(call, width)];
}

function linesOf(call: CallItem, width: number): readonly Line[] {
  const text = call.result ?? call.output?.tail ?? '';
  if (text === '') return [];
  const lines = stripSteering(text).replace(/\r\n?/g, '\n').split('\n');
  return lines.flatMap((line) => wrapSpans([span(line.replaceAll('\t', '    ').slice(0, MAX_LINE))], { width, breaks: 'anywhere' }));
}

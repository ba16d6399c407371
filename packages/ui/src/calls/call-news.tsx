import type { ReactNode } from 'react';
import { isSettled, shownProgress, type CallItem } from '@codelab/client/view';
import { planOf, sanitiseLine } from '@codelab/tools/human';
import { DiffView } from '../diff/diff-view.js';
import { Markdown } from '../markdown/markdown.js';
import { SafeText } from '../text/safe-text.js';
import { OutputTail } from './output-tail.js';

/** Lines of a running command, and of one that failed; what a cell of a notebook puts out is what was wanted. */
const LIVE_LINES = 8;
const KERNEL_LINES = 16;

/** What people should see of a call without asking: what it prints, why it failed, the change that it made, a plan. */
export function CallNews({ call }: { readonly call: CallItem }): ReactNode {
  const plan = isSettled(call) || call.progress === 'ready' ? planOf(call) : undefined;
  const reason = reasonOf(call);
  const lines = linesShown(call);
  const diff = call.progress === 'done' && call.preview?.kind === 'diff' ? call.preview.text : undefined;
  if (plan === undefined && reason === undefined && lines === 0 && diff === undefined && call.masks === undefined) return null;
  return (
    <div className="cl-call__news">
      {lines > 0 && call.output && <OutputTail tail={call.output.tail} lines={lines} />}
      {reason}
      <Masks masks={call.masks} />
      {diff !== undefined && <DiffView diff={diff} />}
      {plan !== undefined && <Markdown text={plan} />}
    </div>
  );
}

function linesShown(call: CallItem): number {
  if (!call.output) return 0;
  if (call.toolName === 'kernel.execute') return KERNEL_LINES;
  return call.progress === 'running' || (call.progress === 'done' && shownProgress(call) === 'failed') ? LIVE_LINES : 0;
}

function reasonOf({ progress, error, feedback, byPolicy }: CallItem): ReactNode {
  if (progress === 'rejected' && feedback)
    return (
      <p className="cl-call__reason">
        {byPolicy ? (
          <SafeText text={feedback} />
        ) : (
          <q>
            <SafeText text={feedback} />
          </q>
        )}
      </p>
    );
  if (!error || progress === 'cancelled' || progress === 'rejected') return undefined;
  const tone = progress === 'unknown' ? 'cl-warn' : 'cl-bad';
  return (
    <p className="cl-call__reason">
      <span className={tone}>
        <SafeText text={error.message} />
      </span>{' '}
      <span className="cl-code-name-plain">{sanitiseLine(error.code, 64)}</span>
    </p>
  );
}

/** The secrets that the model didn't get to see, and how it can. */
function Masks({ masks = [] }: { readonly masks: CallItem['masks'] }): ReactNode {
  if (masks.length === 0) return null;
  return (
    <ul className="cl-masks">
      {masks.map((mask) => (
        <li key={mask}>
          <SafeText text={mask} /> is masked: <code>codelab secrets allow {mask.slice(-13, -1)}</code> shows it to the model
        </li>
      ))}
    </ul>
  );
}

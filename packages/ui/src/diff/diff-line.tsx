import type { DiffHunk, DiffLine } from '@codelab/tools/patch';
import { memo } from 'react';
import { SafeText } from '../text/safe-text.js';
import { spokenLine } from './diff-rows.js';
import { piecesOf } from './line-pieces.js';

const SIGNS = { context: '', added: '+', removed: '−' } as const;

interface LineProps {
  readonly hunk: DiffHunk;
  readonly index: number;
  readonly path: string;
}

/** A line of a diff, with the numbers of both sides. */
export const UnifiedLine = memo(function UnifiedLine({ hunk, index, path }: LineProps) {
  const line = hunk.lines[index]!;
  return (
    <div className="cl-diff-line" data-kind={line.kind}>
      <span className="cl-diff-number" aria-hidden="true">
        {line.old}
      </span>
      <span className="cl-diff-number" aria-hidden="true">
        {line.now}
      </span>
      <Content line={line} hunk={hunk} index={index} path={path} />
    </div>
  );
});

interface PairProps extends Omit<LineProps, 'index'> {
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** A line as it was, beside what it becomes. */
export const PairedLines = memo(function PairedLines({ hunk, left, right, path }: PairProps) {
  return (
    <div className="cl-diff-pair">
      <Side hunk={hunk} index={left} path={path} number="old" />
      <Side hunk={hunk} index={right} path={path} number="now" />
    </div>
  );
});

function Side({
  hunk,
  index,
  path,
  number,
}: Omit<LineProps, 'index'> & { readonly index: number | undefined; readonly number: 'old' | 'now' }) {
  if (index === undefined) return <div className="cl-diff-line" data-kind="nothing" />;
  const line = hunk.lines[index]!;
  const isRepeated = line.kind === 'context' && number === 'now'; // said once
  return (
    <div className="cl-diff-line" data-kind={line.kind} aria-hidden={isRepeated || undefined}>
      <span className="cl-diff-number" aria-hidden="true">
        {line[number]}
      </span>
      <Content line={line} hunk={hunk} index={index} path={path} />
    </div>
  );
}

function Content({ line, hunk, index, path }: LineProps & { readonly line: DiffLine }) {
  return (
    <>
      <span className="cl-diff-sign" aria-hidden="true">
        {SIGNS[line.kind]}
      </span>
      <code className="cl-diff-text">
        <span className="cl-hidden cl-unselected">{`${spokenLine(line)}: `}</span>
        {piecesOf(hunk, index, path).map(({ text, kind, changed }, at) => {
          const name = [kind && `cl-code-${kind}`, changed && 'cl-diff-changed'].filter(Boolean).join(' ');
          return (
            <span key={at} className={name || undefined}>
              <SafeText text={text} />
            </span>
          );
        })}
        {line.noNewline && <span className="cl-diff-end cl-unselected">no newline at the end</span>}
      </code>
    </>
  );
}

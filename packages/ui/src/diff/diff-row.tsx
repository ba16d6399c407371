import type { DiffRow } from './diff-rows.js';
import type { FileTitle } from './diff-rows.js';
import { SafeText } from '../text/safe-text.js';
import { PairedLines, UnifiedLine } from './diff-line.js';

export interface RowActions {
  readonly onFold: (fold: string) => void;
  readonly onClose: (section: number) => void;
  readonly openFile?: ((path: string, line?: number) => void) | undefined;
}

/** One row of a diff. */
export function Row({ row, path, actions }: { readonly row: DiffRow; readonly path: string; readonly actions: RowActions }) {
  switch (row.kind) {
    case 'line':
      return <UnifiedLine hunk={row.hunk} index={row.index} path={path} />;
    case 'pair':
      return <PairedLines hunk={row.hunk} left={row.left} right={row.right} path={path} />;
    case 'file':
      return (
        <FileHead title={row.title} isClosed={row.isClosed} onToggle={() => actions.onClose(row.section)} openFile={actions.openFile} />
      );
    case 'note':
      return (
        <div className="cl-diff-note" data-tone={row.tone}>
          <SafeText text={row.text} />
        </div>
      );
    case 'gap':
      return (
        <div className="cl-diff-gap">
          <span>{`${row.lines} unchanged ${row.lines === 1 ? 'line' : 'lines'}`}</span>
          {row.context !== undefined && (
            <code className="cl-diff-context">
              <SafeText text={row.context} />
            </code>
          )}
        </div>
      );
    case 'fold':
      return (
        <button type="button" className="cl-diff-gap cl-diff-fold" onClick={() => actions.onFold(row.fold)}>
          {`Show ${row.lines} unchanged lines`}
        </button>
      );
  }
}

interface FileHeadProps {
  readonly title: FileTitle;
  readonly isClosed: boolean;
  readonly onToggle: () => void;
  readonly openFile?: ((path: string) => void) | undefined;
}

function FileHead({ title, isClosed, onToggle, openFile }: FileHeadProps) {
  return (
    <div className="cl-diff-file">
      <button type="button" className="cl-diff-toggle" aria-expanded={!isClosed} onClick={onToggle}>
        <span className="cl-chevron" aria-hidden="true" />
        <FileName title={title} />
      </button>
      {openFile && (
        <button type="button" className="cl-button cl-button--plain" onClick={() => openFile(title.path)}>
          Open
        </button>
      )}
    </div>
  );
}

/** `src/a.ts  renamed  +3 −1`. */
export function FileName({ title: { path, from, words, added, removed } }: { readonly title: FileTitle }) {
  return (
    <span className="cl-diff-name">
      <span className="cl-diff-path">
        {from !== undefined && (
          <>
            <SafeText text={from} />
            <span className="cl-diff-arrow" aria-hidden="true">
              {' → '}
            </span>
            <span className="cl-hidden"> becomes </span>
          </>
        )}
        <SafeText text={path} />
      </span>
      {words.map((word) => (
        <span key={word} className="cl-diff-word">
          {word}
        </span>
      ))}
      <Counts added={added} removed={removed} />
    </span>
  );
}

/** `+3 −1`, in colours and in words. */
export function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  if (added === 0 && removed === 0) return null;
  return (
    <span className="cl-diff-counts">
      <span className="cl-hidden">{`, ${added} added, ${removed} removed`}</span>
      <span aria-hidden="true" className="cl-diff-plus">{`+${added}`}</span>
      <span aria-hidden="true" className="cl-diff-minus">{`−${removed}`}</span>
    </span>
  );
}

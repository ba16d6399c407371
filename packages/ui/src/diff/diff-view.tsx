import { readDiffText, type DiffSection } from '@codelab/tools/patch';
import { useMemo, useState } from 'react';
import { Counts, FileName } from './diff-row.js';
import { DiffRows } from './diff-rows-list.js';
import { rowsOf, titleOf, type DiffMode, type DiffRow } from './diff-rows.js';
import { useWidth } from './use-width.js';

/** Two sides need so many pixels. */
const MIN_SPLIT_WIDTH = 720;

interface DiffViewProps {
  /** A unified diff of one or many files. What can't be read as one is shown as it is. */
  readonly diff: string;
  readonly openFile?: ((path: string, line?: number) => void) | undefined;
}

/** Shows what changes: in one column or side by side, with unchanged lines folded. It is for reading; `HunkReview` is for choosing. */
export function DiffView({ diff, openFile }: DiffViewProps) {
  const sections = useMemo(() => readDiffText(diff), [diff]);
  const [wanted, setWanted] = useState<DiffMode>('unified');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [target, setTarget] = useState<{ readonly index: number }>();
  const [ref, width] = useWidth();
  const mode = width >= MIN_SPLIT_WIDTH ? wanted : 'unified';
  const rows = useMemo(() => {
    const all = rowsOf(sections, { mode, opened, closed });
    return sections.length === 1 && all[0]?.kind === 'file' ? all.slice(1) : all; // its name stands in the bar
  }, [sections, mode, opened, closed]);
  const changes = useMemo(() => rows.flatMap((row, index) => (startsChange(row) ? [index] : [])), [rows]);
  const titles = useMemo(() => sections.map(titleOf), [sections]);
  const files = titles.filter((title) => title !== undefined);
  const label = describe(files);

  const step = (by: 1 | -1): void => {
    const now = target?.index ?? -1;
    const index = by === 1 ? changes.find((at) => at > now) : changes.findLast((at) => at < now);
    const round = by === 1 ? changes[0] : changes.at(-1);
    if ((index ?? round) !== undefined) setTarget({ index: (index ?? round)! });
  };
  const actions = {
    onFold: (fold: string) => setOpened(new Set([...opened, fold])),
    onClose: (section: number) => setClosed(toggled(closed, section)),
    openFile,
  };
  return (
    <div className="cl-diff" ref={ref}>
      {files.length > 0 && (
        <div className="cl-diff-bar">
          <FileList
            sections={sections}
            openFile={openFile}
            onGo={(section) => setTarget({ index: rows.findIndex((row) => row.section === section) })}
          />
          <span className="cl-diff-tools">
            {changes.length > 1 && (
              <>
                <button type="button" className="cl-button cl-button--plain" onClick={() => step(-1)} title="Previous change (p)">
                  <span aria-hidden="true">↑</span>
                  <span className="cl-hidden">Previous change</span>
                </button>
                <button type="button" className="cl-button cl-button--plain" onClick={() => step(1)} title="Next change (n)">
                  <span aria-hidden="true">↓</span>
                  <span className="cl-hidden">Next change</span>
                </button>
              </>
            )}
            {width >= MIN_SPLIT_WIDTH && (
              <button
                type="button"
                className="cl-button cl-button--plain"
                aria-pressed={mode === 'split'}
                onClick={() => {
                  setTarget(undefined);
                  setWanted(mode === 'split' ? 'unified' : 'split');
                }}
              >
                Side by side
              </button>
            )}
          </span>
        </div>
      )}
      <DiffRows
        rows={rows}
        pathOf={(section) => titles[section]?.path ?? ''}
        actions={actions}
        label={label}
        target={target}
        onStep={step}
      />
    </div>
  );
}

interface FileListProps {
  readonly sections: readonly DiffSection[];
  readonly onGo: (section: number) => void;
  readonly openFile: DiffViewProps['openFile'];
}

function FileList({ sections, onGo, openFile }: FileListProps) {
  const files = sections.flatMap((section, index) => {
    const title = titleOf(section);
    return title === undefined ? [] : [{ index, title }];
  });
  if (files.length === 1)
    return (
      <span className="cl-diff-sum">
        <FileName title={files[0]!.title} />
        {openFile && (
          <button type="button" className="cl-button cl-button--plain" onClick={() => openFile(files[0]!.title.path)}>
            Open
          </button>
        )}
      </span>
    );
  const sum = (name: 'added' | 'removed'): number => files.reduce((total, { title }) => total + title[name], 0);
  const counts = <Counts added={sum('added')} removed={sum('removed')} />;
  return (
    <details className="cl-diff-files">
      <summary>
        <span className="cl-chevron" aria-hidden="true" />
        {`${files.length} files`} {counts}
      </summary>
      <ul>
        {files.map(({ index, title }) => (
          <li key={index}>
            <button type="button" onClick={() => onGo(index)}>
              <FileName title={title} />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

const startsChange = (row: DiffRow): boolean => (row.kind === 'line' || row.kind === 'pair') && row.startsChange;

function describe(files: readonly { readonly path: string; readonly added: number; readonly removed: number }[]): string {
  const sum = (name: 'added' | 'removed'): number => files.reduce((total, file) => total + file[name], 0);
  const what = files.length === 1 ? files[0]!.path : `${files.length} files`;
  return files.length === 0 ? 'What it says' : `Changes of ${what}: ${sum('added')} lines added, ${sum('removed')} removed`;
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

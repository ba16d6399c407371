import { StateField, type EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import { formatLines, parseEditedLines, type PatchLine, type ReviewPart } from '@codelab/tools/patch';
import { linesOfPart } from '@codelab/tools/patch';
import { useState } from 'react';
import { CodeEditor } from '../editor/code-editor.js';

interface HunkEditorProps {
  readonly part: ReviewPart;
  /** The part is the last of its chunk. */
  readonly endsChunk: boolean;
  readonly onTake: (lines: readonly PatchLine[]) => void;
  readonly onLeave: () => void;
}

/** Edits what a hunk makes of its lines: as they stand in a diff, `+` before what is added. */
export function HunkEditor({ part, endsChunk, onTake, onLeave }: HunkEditorProps) {
  const [initial] = useState(() => formatLines(linesOfPart(part)));
  const [text, setText] = useState(initial);
  const edited = parseEditedLines(part.hunk!.lines, text, endsChunk);
  const take = (): void => {
    if (edited.ok) onTake(edited.lines);
  };
  return (
    <div className="cl-review-editor">
      <p className="cl-hint-text">
        Change, add or remove lines with <code>+</code>. To keep a line that would go, write a blank instead of its <code>-</code>.
      </p>
      <CodeEditor
        initial={initial}
        label="The lines of this change"
        extensions={LINES}
        onChange={setText}
        onSubmit={take}
        onLeave={onLeave}
        autoFocus
      />
      {!edited.ok && (
        <p className="cl-fault" role="alert">
          {edited.fault}
        </p>
      )}
      <div className="cl-actions">
        <button type="button" className="cl-button cl-button--primary" disabled={!edited.ok} onClick={take}>
          Use these lines
        </button>
        <button type="button" className="cl-button cl-button--plain" onClick={onLeave}>
          Back
        </button>
      </div>
    </div>
  );
}

const ADDED = Decoration.line({ class: 'cl-line-added' });
const REMOVED = Decoration.line({ class: 'cl-line-removed' });

function decorate({ doc }: EditorState): DecorationSet {
  const ranges = [];
  for (let number = 1; number <= doc.lines; number += 1) {
    const { from, text } = doc.line(number);
    if (text.startsWith('+')) ranges.push(ADDED.range(from));
    else if (text.startsWith('-')) ranges.push(REMOVED.range(from));
  }
  return Decoration.set(ranges);
}

const LINES: Extension = StateField.define<DecorationSet>({
  create: decorate,
  update: (set, change) => (change.docChanged ? decorate(change.state) : set),
  provide: (field) => EditorView.decorations.from(field),
});

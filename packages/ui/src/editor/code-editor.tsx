import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { EDITOR_THEME } from './editor-theme.js';

interface CodeEditorProps {
  /** What it holds at first; a new `key` begins anew. */
  readonly initial: string;
  readonly label: string;
  readonly onChange: (text: string) => void;
  /** Ctrl-Enter, or Cmd-Enter. */
  readonly onSubmit?: (() => void) | undefined;
  /** Escape, where it closes nothing in the editor. */
  readonly onLeave?: (() => void) | undefined;
  /** Language, hints: those of the first rendering. */
  readonly extensions?: Extension;
  readonly autoFocus?: boolean;
}

/**
 * An editor for a piece of code. It lives in a shadow tree, so that its styles come as sheets of scripts: pages of ours allow no inline ones.
 * Tab leaves it after Escape.
 */
export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const { initial, label, extensions = [], autoFocus } = latest.current;
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: initial,
        extensions: [
          extensions,
          keymap.of([
            { key: 'Mod-Enter', run: () => run(latest.current.onSubmit) },
            ...completionKeymap,
            ...closeBracketsKeymap,
            ...lintKeymap,
            ...historyKeymap,
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
            indentWithTab,
            { key: 'Escape', run: () => run(latest.current.onLeave) },
          ]),
          history(),
          lineNumbers(),
          drawSelection(),
          highlightSpecialChars({ addSpecialChars: HIDDEN }),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          syntaxHighlighting(COLOURS),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
          EDITOR_THEME,
        ],
      }),
    });
    if (autoFocus) view.focus();
    return () => view.destroy();
  }, []);
  return <div ref={host} className="cl-editor" />;
}

function run(action: (() => void) | undefined): boolean {
  action?.();
  return action !== undefined;
}

/** Bidirectional controls and others that the editor doesn't show by itself. */
const HIDDEN = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null], color: 'var(--cl-code-keyword)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--cl-code-name)' },
  { tag: tags.string, color: 'var(--cl-code-string)' },
  { tag: tags.number, color: 'var(--cl-code-number)' },
  { tag: tags.comment, color: 'var(--cl-code-comment)' },
]);

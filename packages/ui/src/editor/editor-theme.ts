import { EditorView } from '@codemirror/view';

/** The editor in the colours of the page around it: custom properties reach into its shadow tree. */
export const EDITOR_THEME = EditorView.theme({
  '&': {
    maxHeight: '46vh',
    border: '1px solid var(--cl-line-colour)',
    borderRadius: 'var(--cl-radius-small)',
    background: 'var(--cl-sunken)',
    color: 'var(--cl-text)',
    fontSize: 'var(--cl-size-code)',
  },
  '&.cm-focused': { outline: '2px solid var(--cl-focus)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--cl-mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--cl-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--cl-text)' },
  '.cm-gutters': { background: 'transparent', border: 'none', color: 'var(--cl-text-faint)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '24px', padding: '0 6px 0 8px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--cl-selected)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--cl-selected)', outline: 'none' },
  '.cm-specialChar': { padding: '0 2px', borderRadius: '3px', background: 'var(--cl-warn-soft)', color: 'var(--cl-warn)' },
  '.cm-tooltip': {
    maxWidth: 'min(420px, 90vw)',
    border: '1px solid var(--cl-line-colour)',
    borderRadius: 'var(--cl-radius-small)',
    background: 'var(--cl-raised)',
    color: 'var(--cl-text)',
    boxShadow: 'var(--cl-shadow)',
    fontFamily: 'var(--cl-font)',
    fontSize: 'var(--cl-size-small)',
  },
  '.cl-hint, .cm-completionInfo': { padding: '6px 10px', lineHeight: '1.5' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--cl-mono)', maxHeight: '12em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--cl-selected)', color: 'var(--cl-text)' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: '3px solid var(--cl-bad)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--cl-bad)',
    textUnderlineOffset: '3px',
  },
  '.cl-line-added': { background: 'var(--cl-diff-added)' },
  '.cl-line-removed': { background: 'var(--cl-diff-removed)' },
});

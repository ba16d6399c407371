import { type EditFault, insertAtStart, replaceText, type TextEdit } from './replace.js';

export type AppliedEdits =
  | {
      readonly ok: true;
      readonly content: string;
      /** Places that were replaced, in all. */
      readonly count: number;
      /** Edits, from 1, with the lines, first and last, that were taken for equal apart from indentation. */
      readonly tolerated: readonly { readonly edit: number; readonly lines: readonly [number, number] }[];
    }
  /** `edit`: from 1. */
  | { readonly ok: false; readonly edit: number; readonly fault: EditFault };

/** What is wrong with edits whatever the file holds. An empty text to replace means the start of the file, in the first edit only. */
export function findEditFault(edits: readonly TextEdit[]): { readonly edit: number; readonly fault: EditFault } | undefined {
  for (const [place, { old_string: needle, new_string: text }] of edits.entries()) {
    if (needle === text) return { edit: place + 1, fault: { kind: 'same' } };
    if (needle === '' && place > 0) return { edit: place + 1, fault: { kind: 'empty' } };
  }
  return undefined;
}

/** Applies edits in order, each on the result of the one before, all or none; whole lines may differ in indentation. */
export function applyEdits(content: string, edits: readonly TextEdit[]): AppliedEdits {
  const fault = findEditFault(edits);
  if (fault !== undefined) return { ok: false, ...fault };
  const tolerated: { readonly edit: number; readonly lines: readonly [number, number] }[] = [];
  let text = content;
  let count = 0;
  for (const [place, edit] of edits.entries()) {
    const done = edit.old_string === '' ? insertAtStart(text, edit.new_string) : replaceText(text, edit, { tolerant: true });
    if (!done.ok) return { ok: false, edit: place + 1, fault: done.fault };
    if (done.tolerated !== undefined) tolerated.push({ edit: place + 1, lines: done.tolerated });
    text = done.content;
    count += done.count;
  }
  return { ok: true, content: text, count, tolerated };
}

import { createHash } from 'node:crypto';
import { findMask, isJsonObject } from '@codelab/tools';
import { diffAroundMasks } from '../edits/diff-around-masks.js';
import type { Next, Outcome, UseResult } from './row.js';
import type { UseContext } from './use-context.js';

/** A file as it was read. */
export interface FileContent {
  readonly content: string;
  readonly sha256: string;
}

/** What an edit comes to: the whole new content of the file and what the model is told, or why nothing was changed. */
export type Edited = { readonly content: string; readonly done: (written: FileContent) => UseResult } | { readonly refused: string };

export interface CompositeEdit {
  /** How the vocabulary says what a write was refused for, where it has words of its own. */
  readonly refusal?: (code: string) => string | undefined;
  /** Relative to the workspace. */
  readonly path: string;
  /** The new content depends on the hash alone: the file's own is not read, however large it is. */
  readonly onlyHash?: true;
  /** Computes the new content. Pure; it runs again for each step. */
  readonly edit: (file: FileContent) => Edited;
  /** What the model is told where the file can't be read; `create`: it is written as a new file. Absent, or nothing: the canonical error. */
  readonly unreadable?: (
    code: string,
    message: string,
  ) => string | { readonly create: string; readonly done: (written: FileContent) => UseResult } | undefined;
}

/** Lower-case hex, of the text as UTF-8. */
export const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
const failed = (text: string): UseResult => ({ text, isError: true });

/** How an error of a canonical call reads to a model, in every vocabulary. */
export const canonicalError = (code: string, message: string): string => `Error [${code}]: ${message}`;

/**
 * The steps of an edit that reads a file, computes and writes it whole, with `expected_sha256`, so that a file which has changed meanwhile is
 * never overwritten (vocabularies, rule 6). A conflict is tried once more from the fresh content if no human was asked. Where masks stand for
 * secrets in what was read, it is patched around them.
 */
export function compositeEdit(
  { path, edit, onlyHash, unreadable, refusal }: CompositeEdit,
  outcomes: readonly Outcome[],
  context: UseContext,
): Next {
  const read: Next = { call: { tool: 'read_file', args: onlyHash && context.has('x1') ? { path, offset: 1, limit: 1 } : { path } } };
  const last = outcomes.at(-1);
  if (last === undefined) return read;
  if (last.tool === 'read_file') {
    const planned = plan(last);
    return 'text' in planned ? planned : write(planned);
  }
  if (!last.ok) {
    const isFirst = outcomes.filter(({ tool }) => tool === 'write_file').length === 1;
    if (last.code === 'CONFLICT' && isFirst && !last.asked) return read;
    return failed(refusal?.(last.code) ?? canonicalError(last.code, last.message));
  }
  const planned = plan(outcomes.findLast(({ tool }) => tool === 'read_file'));
  if ('text' in planned) return planned;
  if (last.tool === 'apply_patch') return withSecrets(planned.done({ content: planned.content, sha256: '' }), path, last);
  const content = textOf(last.edited) ?? planned.content;
  const result = planned.done({ content, sha256: sha256(content) });
  return last.edited === undefined ? result : withUserChange(result, planned.content, content);

  function write({ content, expected, before = '' }: Planned): Next {
    const diff = findMask(before) === undefined ? undefined : diffAroundMasks(path, before, content);
    if (diff !== undefined && context.has('apply_patch')) return { call: { tool: 'apply_patch', args: { diff, allow_dirty: true } } };
    // An older client can't be told that there must be no file; it was asked for the file a moment ago.
    if (expected === 'none' && !context.has('x2')) return { call: { tool: 'write_file', args: { path, content } } };
    return { call: { tool: 'write_file', args: { path, content, expected_sha256: expected } } };
  }
  function plan(outcome: Outcome | undefined): UseResult | Planned {
    if (outcome === undefined) return failed(canonicalError('INTERNAL', 'the file was not read'));
    if (!outcome.ok) {
      const instead = unreadable?.(outcome.code, outcome.message) ?? canonicalError(outcome.code, outcome.message);
      return typeof instead === 'string' ? failed(instead) : { content: instead.create, expected: 'none', done: instead.done };
    }
    const { content, sha256: known } = outcome.result;
    if (typeof content !== 'string') return failed(canonicalError('ENCODING_ERROR', `${path} is not text`));
    const expected = typeof known === 'string' ? known : sha256(content);
    const edited = edit({ content, sha256: expected });
    return 'refused' in edited ? failed(edited.refused) : { content: edited.content, expected, before: content, done: edited.done };
  }
}

interface Planned {
  /** The new content, and the hash that the present one must have. */
  readonly content: string;
  readonly expected: string;
  /** The present content; absent for a new file. */
  readonly before?: string;
  readonly done: (written: FileContent) => UseResult;
}

/** A file in which secrets are hidden was patched around them: nobody here knows its hash, so it has to be read again. */
const withSecrets = (result: UseResult, path: string, { edited }: Outcome): UseResult => {
  const isRead = result.marks?.reads !== undefined;
  const changed = edited === undefined ? [] : ['The user changed the content before it was written.'];
  const again = isRead || edited !== undefined ? ['Secrets in it are hidden from you: read it again before you change it further.'] : [];
  return { ...result, text: [result.text, ...changed, ...again].join('\n'), marks: isRead ? { reads: { [path]: null } } : result.marks };
};

const textOf = (args: unknown): string | undefined => (isJsonObject(args) && typeof args.content === 'string' ? args.content : undefined);

const MAX_CHANGED_LINES = 40;

/** The human wrote something else than the model wanted: the model reads the lines that differ. */
export const withUserChange = (result: UseResult, wanted: string, written: string): UseResult => {
  const before = new Set(wanted.split('\n'));
  const changed = written.split('\n').flatMap((line, place) => (before.has(line) ? [] : [`${String(place + 1)}\t${line}`]));
  const lines = ['The user changed the content before it was written.', ...changed.slice(0, MAX_CHANGED_LINES)];
  return { ...result, text: `${result.text}\n${lines.join('\n')}` };
};

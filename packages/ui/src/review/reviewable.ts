import type { Preview } from '@codelab/protocol';
import {
  concludeReview,
  keepInContent,
  keepReviewed,
  parsePatch,
  PatchError,
  partsOfPatch,
  pathOfPart,
  tallyParts,
  type FilePatch,
  type ReviewPart,
} from '@codelab/tools/patch';

/** A part of a patch that is decided by itself, and what a person says about it. */
export interface CommentedPart {
  readonly part: ReviewPart;
  /** For the model. */
  readonly comment: string;
}

/** What a review of a call comes to. */
export type ReviewOutcome =
  | { readonly decision: 'approve'; readonly feedback?: string | undefined }
  | { readonly decision: 'edit'; readonly modifiedArgs: Readonly<Record<string, unknown>>; readonly feedback?: string | undefined }
  | { readonly decision: 'reject'; readonly feedback: string }
  /** It can't be decided like that; `why` is a sentence. */
  | { readonly decision: 'none'; readonly why: string };

/** A call whose changes can be chosen from, or why they can't: a sentence, absent where nobody would expect it. */
export type Reviewable =
  | {
      readonly kind: 'hunks';
      readonly diff: string;
      readonly parts: readonly ReviewPart[];
      conclude(parts: readonly CommentedPart[]): ReviewOutcome;
    }
  | { readonly kind: 'whole'; readonly why?: string | undefined };

interface Reviewed {
  readonly toolName: string;
  /** JSON text. */
  readonly args: string;
  readonly preview?: Preview | undefined;
}

/** Tools whose argument is the whole content. */
const WRITES: ReadonlySet<string> = new Set(['write_file', 'editor.write']);

/**
 * Which changes of a call can be kept one by one: of a patch all; of a file that is written anew those of its preview, where the content that
 * is left can be told exactly.
 */
export function reviewableOf({ toolName, args: text, preview }: Reviewed): Reviewable {
  const args = readObject(text);
  if (args === undefined) return { kind: 'whole' };
  if (toolName === 'apply_patch' && typeof args['diff'] === 'string') return ofPatch(args, args['diff']);
  if (WRITES.has(toolName) && typeof args['content'] === 'string') return ofContent(args, args['content'], preview);
  return preview?.kind === 'diff' ? { kind: 'whole', why: 'This tool takes its changes as a whole.' } : { kind: 'whole' };
}

function ofPatch(args: Loose, diff: string): Reviewable {
  const patch = tryParse(diff);
  if (patch === undefined) return { kind: 'whole', why: 'The patch can’t be read, so no part of it can be chosen.' };
  return {
    kind: 'hunks',
    diff,
    parts: partsOfPatch(patch),
    conclude: (commented) =>
      outcomeOf(commented, (parts) => ({ ok: true, args: { ...args, diff: keepReviewed(diff, concludeReview(parts)) } })),
  };
}

function ofContent(args: Loose, content: string, preview: Preview | undefined): Reviewable {
  if (preview?.kind !== 'diff') return { kind: 'whole', why: 'What the file holds now isn’t known here, so no part can be chosen.' };
  const [change, ...others] = tryParse(preview.text) ?? [];
  if (change === undefined || others.length > 0)
    return { kind: 'whole', why: 'The preview isn’t complete, so no part of it can be chosen.' };
  const nothing = keepInContent(content, change, { action: 'apply', chunks: [] });
  if (!nothing.ok || change.hunks.length === 0) return { kind: 'whole', why: nothing.ok ? undefined : nothing.why };
  return {
    kind: 'hunks',
    diff: preview.text,
    parts: partsOfPatch([change]),
    conclude: (commented) => outcomeOf(commented, (parts) => contentOf(args, content, change, parts)),
  };
}

type Changed = { readonly ok: true; readonly args: Loose } | { readonly ok: false; readonly why: string };

function contentOf(args: Loose, content: string, change: FilePatch, parts: readonly ReviewPart[]): Changed {
  const kept = keepInContent(content, change, concludeReview(parts));
  return kept.ok ? { ok: true, args: { ...args, content: kept.content } } : kept;
}

function outcomeOf(commented: readonly CommentedPart[], change: (parts: readonly ReviewPart[]) => Changed): ReviewOutcome {
  const parts = commented.map(({ part }) => part);
  const words = feedbackOf(commented);
  const { kept, edited } = tallyParts(parts);
  if (kept + edited === 0) return { decision: 'reject', feedback: words ?? 'The user keeps none of the changes.' };
  if (kept === parts.length) return { decision: 'approve', feedback: words };
  const changed = change(parts);
  return changed.ok ? { decision: 'edit', modifiedArgs: changed.args, feedback: words } : { decision: 'none', why: changed.why };
}

/** What the model reads: what was left out or changed, and what was said of each part. Nothing where nothing is to be said. */
export function feedbackOf(commented: readonly CommentedPart[]): string | undefined {
  const said = commented.flatMap(({ part, comment }) => {
    const words = comment.trim();
    const what = part.verdict === 'drop' ? 'dropped' : part.edited ? 'edited' : words === '' ? undefined : 'kept';
    return what === undefined ? [] : [`- ${placeOf(part)}: ${what}${words === '' ? '' : `. ${words}`}`];
  });
  return said.length === 0 ? undefined : `The user reviewed the changes one by one:\n${said.join('\n')}`.slice(0, MAX_FEEDBACK);
}

/** Characters: what a decision carries. */
const MAX_FEEDBACK = 10_000;

/** `src/a.ts, lines 10–14`, by the numbers of the file as it is. */
export function placeOf(part: ReviewPart): string {
  const { hunk } = part;
  const path = pathOfPart(part);
  if (hunk === undefined) return path;
  const first = hunk.oldLines === 0 ? Math.max(1, hunk.oldStart) : hunk.oldStart;
  const last = first + Math.max(1, hunk.oldLines) - 1;
  return first === last ? `${path}, line ${first}` : `${path}, lines ${first}–${last}`;
}

type Loose = Readonly<Record<string, unknown>>;

function readObject(text: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
  } catch {
    return undefined; // shown as they came
  }
}

function tryParse(diff: string): readonly FilePatch[] | undefined {
  try {
    return parsePatch(diff);
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

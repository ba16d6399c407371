import type { ApprovalAnswer, ApprovalRequest } from '@codelab/client';
import { applyHunks, filterPatch, formatPatch, listChunks, parsePatch, type FilePatch, type ParsedPatch } from '@codelab/tools/patch';

/** One hunk of a proposal. */
export interface ProposedHunk {
  /** Counts from 1 over all files. */
  readonly number: number;
  /** Where it stands in the text of the proposal, or would stand; from 0. */
  readonly line: number;
  readonly lines: number;
  readonly kept: boolean;
}

/** A file as a call would leave it, with what is kept of the call so far. */
export interface ProposedFile {
  /** In the workspace. */
  readonly path: string;
  readonly kind: FilePatch['kind'];
  /** Of a rename or copy. */
  readonly from?: string;
  readonly after: string;
  readonly hunks: readonly ProposedHunk[];
}

/** Reads a file of the workspace as it stands now, saved or not; '' for none. */
export type ReadBefore = (path: string) => string;

/** Tools whose change a human can take in part, and how their arguments say it. */
const WHOLE: ReadonlySet<string> = new Set(['write_file', 'editor.write']);

/**
 * What a call that writes would do, hunk by hunk. Hunks can be dropped: what is left becomes the arguments that are approved. It decides
 * nothing itself.
 */
export class Proposal {
  private readonly dropped = new Set<number>();

  private constructor(
    private readonly request: Pick<ApprovalRequest, 'callId' | 'toolName' | 'args'>,
    private readonly patch: ParsedPatch,
    private readonly readBefore: ReadBefore,
  ) {}

  /** `undefined` for a call that changes no text, or whose preview is no patch. */
  static of(
    request: Pick<ApprovalRequest, 'callId' | 'toolName' | 'args'>,
    preview: ApprovalRequest['preview'],
    readBefore: ReadBefore,
  ): Proposal | undefined {
    const { toolName, args } = request;
    const diff = toolName === 'apply_patch' ? args['diff'] : WHOLE.has(toolName) && preview?.kind === 'diff' ? preview.text : undefined;
    if (typeof diff !== 'string') return undefined;
    try {
      const patch = parsePatch(diff);
      return patch.length === 0 ? undefined : new Proposal(request, patch, readBefore);
    } catch {
      return undefined; // cut, or no patch: the chat shows it as it is
    }
  }

  get callId(): string {
    return this.request.callId;
  }

  /** Hunks, and of them those that are kept. */
  get count(): { readonly all: number; readonly kept: number } {
    const all = listChunks(this.patch).length;
    return { all, kept: all - this.dropped.size };
  }

  /** Drops a hunk, or keeps it after all. */
  toggle(number: number): void {
    if (!this.dropped.delete(number)) this.dropped.add(number);
  }

  keepAll(): void {
    this.dropped.clear();
  }

  /** The files, as they would be. */
  files(): readonly ProposedFile[] {
    const chunks = listChunks(this.patch);
    return this.patch.map((file) => {
      const path = file.newPath ?? file.oldPath!; // the parser lets no file through that has neither
      const numbered = chunks.filter((chunk) => chunk.file === file);
      const kept = numbered.flatMap(({ number, hunk }) => (hunk === undefined || this.dropped.has(number) ? [] : [hunk]));
      const applied = applyHunks(file.oldPath === undefined ? '' : this.readBefore(file.oldPath), kept);
      let shift = 0;
      const hunks = numbered.map(({ number, hunk }): ProposedHunk => {
        const isKept = !this.dropped.has(number);
        if (hunk === undefined) return { number, line: 0, lines: 0, kept: isKept };
        const line = Math.max(0, hunk.oldStart + leadingOf(hunk.lines) - 1 + shift);
        if (isKept) shift += hunk.newLines - hunk.oldLines;
        const changed = hunk.lines.filter(({ sign }) => sign === (isKept ? '+' : '-')).length;
        return {
          number,
          line: hunk.oldLines === 0 ? Math.max(0, hunk.oldStart + (isKept ? shift - hunk.newLines : shift)) : line,
          lines: changed,
          kept: isKept,
        };
      });
      return {
        path,
        kind: file.kind,
        from: file.kind === 'rename' ? file.oldPath : undefined,
        after: applied.ok ? applied.content : '',
        hunks,
      };
    });
  }

  /** The hunk at a line of the proposed text, from 0: the nearest one at or above it. */
  hunkAt(path: string, line: number): ProposedHunk | undefined {
    const file = this.files().find((one) => one.path === path);
    return file?.hunks.filter((hunk) => hunk.line <= line + 1).at(-1) ?? file?.hunks[0];
  }

  /** The decision for what is kept: everything as it is, a part as edited arguments, nothing as a refusal. */
  answer(): ApprovalAnswer {
    const { all, kept } = this.count;
    if (kept === all) return { decision: 'approve' };
    if (kept === 0) return { decision: 'reject', feedback: 'The user dropped every change of it.' };
    const numbers = [...this.dropped].sort((one, other) => one - other).join(', ');
    const feedback = `The user dropped ${this.dropped.size === 1 ? 'hunk' : 'hunks'} ${numbers} of ${String(all)}. What is left was written.`;
    return { decision: 'edit', modifiedArgs: this.keptArguments(), feedback };
  }

  private keptArguments(): Readonly<Record<string, unknown>> {
    const { toolName, args } = this.request;
    if (WHOLE.has(toolName)) return { ...args, content: this.files()[0]?.after ?? '' };
    const chunks = listChunks(this.patch).flatMap(({ number }) => (this.dropped.has(number) ? [] : [number]));
    return { ...args, diff: formatPatch(filterPatch(this.patch, { action: 'apply', chunks })) };
  }
}

/** Lines of context before the first change. */
const leadingOf = (lines: readonly { readonly sign: string }[]): number =>
  Math.max(
    0,
    lines.findIndex(({ sign }) => sign !== ' '),
  );

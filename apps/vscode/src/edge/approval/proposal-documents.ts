import * as vscode from 'vscode';
import type { Proposal, ProposedFile } from '../../core/approval/proposal.js';

export const SCHEME = 'codelab-proposal';

/** `codelab-proposal:/<callId>/<side>/<path>`: a side of a diff that is no file. */
export const uriOfSide = (callId: string, side: 'before' | 'after', path: string): vscode.Uri =>
  vscode.Uri.from({ scheme: SCHEME, path: `/${callId}/${side}/${path}` });

/** Which call and which file a document of ours shows; `undefined` for another one. */
export function readUri({
  scheme,
  path,
}: vscode.Uri): { readonly callId: string; readonly side: string; readonly path: string } | undefined {
  const [, callId, side, ...rest] = path.split('/');
  return scheme === SCHEME && callId !== undefined && side !== undefined ? { callId, side, path: rest.join('/') } : undefined;
}

/** The texts of proposals as documents, and a lens above each of their hunks. */
export class ProposalDocuments implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider {
  private readonly contents = new vscode.EventEmitter<vscode.Uri>();
  private readonly lenses = new vscode.EventEmitter<void>();
  readonly onDidChange = this.contents.event;
  readonly onDidChangeCodeLenses = this.lenses.event;

  /** @param find the proposal of a call that waits; @param canDrop hunks of it can be left out */
  constructor(
    private readonly find: (callId: string) => Proposal | undefined,
    private readonly canDrop: (callId: string) => boolean,
  ) {}

  /** What is kept of a proposal has changed. */
  changed(proposal: Proposal): void {
    for (const { path } of proposal.files()) this.contents.fire(uriOfSide(proposal.callId, 'after', path));
    this.lenses.fire();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const place = readUri(uri);
    if (place === undefined || place.side === 'before') return '';
    return this.fileOf(place)?.after ?? '';
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const place = readUri(document.uri);
    const file = place?.side === 'after' ? this.fileOf(place) : undefined;
    const proposal = place && this.find(place.callId);
    if (place === undefined || file === undefined || proposal === undefined) return [];
    const { all, kept } = proposal.count;
    const top = new vscode.Range(0, 0, 0, 0);
    const whole = [
      new vscode.CodeLens(top, {
        title: `$(check) Approve ${kept === all ? 'all' : `${String(kept)} of ${String(all)}`}`,
        command: 'codelab.approve',
        arguments: [place.callId],
      }),
      new vscode.CodeLens(top, { title: '$(x) Reject', command: 'codelab.reject', arguments: [place.callId] }),
    ];
    if (!this.canDrop(place.callId)) return whole;
    const last = Math.max(0, document.lineCount - 1);
    return [
      ...whole,
      ...file.hunks.map(({ number, line, kept: isKept }) => {
        const title = isKept
          ? `$(circle-large-filled) Hunk ${String(number)} is kept: drop it`
          : `$(circle-large-outline) Hunk ${String(number)} is dropped: keep it`;
        const range = new vscode.Range(Math.min(line, last), 0, Math.min(line, last), 0);
        return new vscode.CodeLens(range, { title, command: 'codelab.toggleHunk', arguments: [place.callId, number] });
      }),
    ];
  }

  private fileOf({ callId, path }: { readonly callId: string; readonly path: string }): ProposedFile | undefined {
    return this.find(callId)
      ?.files()
      .find((file) => file.path === path);
  }
}

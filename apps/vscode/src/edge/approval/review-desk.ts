import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { describeCall } from '@codelab/tools';
import type { ApprovalAnswer } from '@codelab/client';
import { Proposal, type ProposedFile } from '../../core/approval/proposal.js';
import type { WaitingCall } from '../../core/session/human.js';
import { pathOf } from '../editor/vscode-editor.js';
import type { CodeLabWindow } from '../window.js';
import { ProposalDocuments, readUri, SCHEME, uriOfSide } from './proposal-documents.js';

/** Diffs that are opened for one call. */
const MAX_DIFFS = 10;
const MAX_TITLE = 80;

/** Calls that wait, as people of VS Code expect them: a diff editor for what is written, keys, notifications. */
export class ReviewDesk implements vscode.Disposable {
  private readonly proposals = new Map<string, { readonly of: WaitingCall['preview']; readonly proposal: Proposal | undefined }>();
  private readonly documents = new ProposalDocuments(
    (callId) => this.proposalOf(callId),
    (callId) => this.window.human.find(callId)?.request.origin === 'server',
  );
  private readonly notified = new Set<string>();
  private readonly parts: vscode.Disposable;

  constructor(
    private readonly window: CodeLabWindow,
    private readonly isChatVisible: () => boolean,
  ) {
    const end = window.human.subscribe(() => this.follow());
    const command = (name: string, run: (callId?: unknown, number?: unknown) => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(name, run);
    this.parts = vscode.Disposable.from(
      new vscode.Disposable(end),
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this.documents),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, this.documents),
      command('codelab.reviewChange', (callId) => this.open(this.nameOf(callId))),
      command('codelab.approve', (callId) => this.approve(this.nameOf(callId))),
      command('codelab.reject', (callId) => this.reject(this.nameOf(callId))),
      command('codelab.toggleHunk', (callId, number) => this.toggle(callId, number)),
    );
  }

  /** Shows what a call would change, in diff editors. */
  async open(callId: string | undefined): Promise<void> {
    const proposal = callId === undefined ? undefined : this.proposalOf(callId);
    if (callId === undefined || proposal === undefined) return void vscode.commands.executeCommand('codelab.focus');
    for (const file of proposal.files().slice(0, MAX_DIFFS)) {
      const [left, right] = [this.leftOf(callId, file), uriOfSide(callId, 'after', file.path)];
      await vscode.commands.executeCommand('vscode.diff', left, right, `${file.path} (proposed)`, { preview: false });
    }
  }

  dispose(): void {
    this.parts.dispose();
  }

  private async approve(callId: string | undefined): Promise<void> {
    if (callId === undefined) return;
    const answer: ApprovalAnswer = this.proposalOf(callId)?.answer() ?? { decision: 'approve' };
    if (answer.decision === 'edit' && this.window.human.find(callId)?.request.origin === 'client')
      return void vscode.window.showWarningMessage(
        'CodeLab: this call is asked about by this machine alone: keep all of it, or reject it.',
      );
    this.decide(callId, answer);
  }

  private async reject(callId: string | undefined): Promise<void> {
    if (callId === undefined) return;
    const feedback = await vscode.window.showInputBox({ title: 'Why not? The model reads it.', placeHolder: 'Enter: without a reason' });
    if (feedback !== undefined) this.decide(callId, { decision: 'reject', feedback: feedback.trim() || undefined });
  }

  private decide(callId: string, answer: ApprovalAnswer): void {
    if (!this.window.human.decide(callId, answer)) void vscode.window.showInformationMessage('CodeLab: it has been decided elsewhere.');
  }

  private toggle(callId: unknown, number: unknown): void {
    const editor = vscode.window.activeTextEditor;
    const place = editor && readUri(editor.document.uri);
    const id = typeof callId === 'string' ? callId : place?.callId;
    const proposal = id === undefined ? undefined : this.proposalOf(id);
    const line = editor?.selection.active.line ?? 0;
    const hunk = typeof number === 'number' ? number : place && proposal?.hunkAt(place.path, line)?.number;
    if (proposal === undefined || hunk === undefined) return;
    proposal.toggle(hunk);
    this.documents.changed(proposal);
  }

  /** The call that is named, else the one that the active diff shows, else the oldest. */
  private nameOf(callId: unknown): string | undefined {
    if (typeof callId === 'string') return callId;
    const shown = vscode.window.activeTextEditor && readUri(vscode.window.activeTextEditor.document.uri)?.callId;
    return shown ?? this.window.human.waiting()[0]?.request.callId;
  }

  private proposalOf(callId: string): Proposal | undefined {
    const waiting = this.window.human.find(callId);
    if (waiting === undefined) return undefined;
    const known = this.proposals.get(callId);
    if (known !== undefined && known.of === waiting.preview) return known.proposal;
    const proposal = Proposal.of(waiting.request, waiting.preview, (path) => this.readBefore(path));
    this.proposals.set(callId, { of: waiting.preview, proposal });
    return proposal;
  }

  /** Where a path of a call is on disk. */
  private onDisk(path: string): string {
    return this.window.current?.folder.folders.absolute(path) ?? path;
  }

  private readBefore(path: string): string {
    const whole = this.onDisk(path);
    const open = vscode.workspace.textDocuments.find(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed && pathOf(uri) === whole);
    if (open?.isDirty) return open.getText();
    try {
      return readFileSync(whole, 'utf8');
    } catch {
      return ''; // gone meanwhile: the diff shows it
    }
  }

  private leftOf(callId: string, { kind, path, from }: ProposedFile): vscode.Uri {
    if (kind === 'create') return uriOfSide(callId, 'before', path);
    return vscode.Uri.file(this.onDisk(from ?? path));
  }

  /** Calls came or went. */
  private follow(): void {
    const waiting = this.window.human.waiting();
    const ids = new Set(waiting.map(({ request }) => request.callId));
    for (const callId of this.proposals.keys()) if (!ids.has(callId)) this.proposals.delete(callId);
    for (const callId of this.notified) if (!ids.has(callId)) this.notified.delete(callId);
    void closeTabs(ids);
    for (const call of waiting) if (!this.notified.has(call.request.callId)) this.notify(call);
  }

  private notify({ request }: WaitingCall): void {
    const { callId, toolName, argsText, approval } = request;
    this.notified.add(callId);
    const isWanted = vscode.workspace.getConfiguration('codelab').get('notify', true);
    if (this.isChatVisible() || !isWanted) return;
    const what = `${toolName} ${describeCall(toolName, argsText)}`.replaceAll(/\s+/g, ' ').slice(0, MAX_TITLE);
    const actions = approval?.risk === 'high' ? ['Look'] : ['Approve', 'Look', 'Reject'];
    void vscode.window.showInformationMessage(`CodeLab asks: ${what}`, ...actions).then((action) => {
      if (action === 'Approve') return this.approve(callId);
      if (action === 'Reject') return this.reject(callId);
      return action === 'Look' ? this.open(callId) : undefined;
    });
  }
}

/** Diffs of calls that wait no more say nothing that is true. */
async function closeTabs(waiting: ReadonlySet<string>): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
  const over = tabs.filter(({ input }) => {
    const place = input instanceof vscode.TabInputTextDiff ? readUri(input.modified) : undefined;
    return place !== undefined && !waiting.has(place.callId);
  });
  if (over.length > 0) await vscode.window.tabGroups.close(over, true);
}

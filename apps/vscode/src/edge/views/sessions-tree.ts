import * as vscode from 'vscode';
import { askRest } from '@codelab/client/observer';
import type { Place } from '../../core/place/place.js';
import { sessionsOf, toEntries, type SessionEntry } from '../../core/session/session-entries.js';

const ICONS = { waiting: 'bell-dot', running: 'loading~spin', idle: 'comment-discussion' } as const;
const LISTED = 100;

/** The conversations of this folder. */
export class SessionsTree implements vscode.TreeDataProvider<SessionEntry> {
  static readonly id = 'codelab.sessions';
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  /** @param here where conversations are now, and which is open; `undefined`: there is no place yet */
  constructor(private readonly here: () => { readonly place: Place; readonly workspaceId: string; readonly open: string } | undefined) {}

  refresh(): void {
    this.changed.fire();
  }

  async getChildren(parent?: SessionEntry): Promise<SessionEntry[]> {
    const here = this.here();
    if (parent !== undefined || here === undefined) return [];
    const { http: origin, token } = here.place;
    try {
      const ask = (path: string): Promise<unknown> => askRest({ origin, headers: { authorization: `Bearer ${token}` } }, 'GET', path);
      const [listed, asked] = await Promise.all([
        ask(`/api/v1/sessions?limit=${String(LISTED)}`),
        ask('/api/v1/approvals').catch(() => ({ approvals: [] })), // a token may not be allowed to ask
      ]);
      const { sessions } = listed as { readonly sessions: readonly unknown[] };
      const waiting = sessionsOf((asked as { readonly approvals: readonly unknown[] }).approvals);
      return [...toEntries(sessions, { nowMs: Date.now(), workspaceId: here.workspaceId, waiting })];
    } catch {
      return []; // the status bar says that the gateway is away
    }
  }

  getTreeItem(entry: SessionEntry): vscode.TreeItem {
    const item = new vscode.TreeItem(entry.label);
    const isOpen = entry.id === this.here()?.open;
    item.id = entry.id;
    item.description = isOpen ? `${entry.description} · open` : entry.description;
    item.tooltip = entry.tooltip;
    item.contextValue = 'session';
    item.iconPath = new vscode.ThemeIcon(ICONS[entry.state], isOpen ? new vscode.ThemeColor('charts.blue') : undefined);
    item.command = { command: 'codelab.openSession', title: 'Open', arguments: [entry.id] };
    return item;
  }
}

import * as vscode from 'vscode';
import { statusText, type NoSession } from '../../core/text/status-text.js';
import type { SessionView } from '@codelab/client/view';

const BACKGROUND = { plain: undefined, warning: 'statusBarItem.warningBackground', error: 'statusBarItem.errorBackground' } as const;

/** State, model, context and cost of this window's session, at the bottom of the window. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('codelab.status', vscode.StatusBarAlignment.Right, 50);
  private shown = '';

  constructor() {
    this.item.name = 'CodeLab';
    this.item.command = 'codelab.focus';
    this.show({ why: 'closed' });
    this.item.show();
  }

  show(view: SessionView | NoSession): void {
    const { text, tooltip, tone } = statusText(view);
    if (this.shown === `${text}\n${tooltip}`) return;
    this.shown = `${text}\n${tooltip}`;
    const background = BACKGROUND[tone];
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    this.item.accessibilityInformation = { label: tooltip.replaceAll('\n', ', ') };
  }

  dispose(): void {
    this.item.dispose();
  }
}

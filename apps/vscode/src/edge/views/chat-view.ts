import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { FromView } from '../../core/webview/messages.js';
import { ViewServer, type ServedPort } from '../../core/webview/serve-view.js';

/** The chat in the side bar: the components of `@codelab/ui` in a webview that reaches nothing but this host. */
export class ChatView implements vscode.WebviewViewProvider {
  static readonly id = 'codelab.chat';
  private view: vscode.WebviewView | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly port: ServedPort,
    /** Somebody looks at it: there should be a conversation. */
    private readonly onShown: () => void,
  ) {}

  /** Whether somebody sees it. */
  get isVisible(): boolean {
    return this.view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const { webview } = view;
    webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview')] };
    const server = new ViewServer(this.port, (message) => void webview.postMessage(message));
    const heard = webview.onDidReceiveMessage((message: FromView) => void server.take(message));
    view.onDidDispose(() => {
      heard.dispose();
      server.dispose();
      if (this.view === view) this.view = undefined;
    });
    webview.html = this.page(webview);
    this.onShown();
  }

  private page(webview: vscode.Webview): string {
    const uri = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview', file)).toString();
    const nonce = randomBytes(16).toString('base64');
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src ${webview.cspSource} 'nonce-${nonce}'`,
      `font-src ${webview.cspSource}`,
      `img-src ${webview.cspSource} data: blob:`,
    ].join('; ');
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="csp-nonce" nonce="${nonce}" />
    <link rel="stylesheet" href="${uri('main.css')}" />
    <title>CodeLab</title>
  </head>
  <body>
    <div id="root"></div>
    <script nonce="${nonce}" type="module" src="${uri('main.js')}"></script>
  </body>
</html>`;
  }
}

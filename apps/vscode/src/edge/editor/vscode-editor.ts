import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import type { EditorDocument, EditorHost, Problem, TextChange } from '../../core/editor/editor-host.js';
import type { ActiveFile } from '../../core/editor/editor-executor.js';
import type { WindowFolders } from '../../core/folders/window-folders.js';

/** The documents of this window, and what it knows of them. */
export class VscodeEditor implements EditorHost {
  documents(): readonly EditorDocument[] {
    return vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed).map(toDocument);
  }

  async change({ path, version }: EditorDocument, changes: readonly TextChange[], eol?: '\n' | '\r\n'): Promise<boolean> {
    const document = find(path);
    if (document === undefined || document.version !== version) return false;
    const edits = changes.map(({ start, end, text }) =>
      vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text),
    );
    if (eol !== undefined) edits.push(vscode.TextEdit.setEndOfLine(eol === '\n' ? vscode.EndOfLine.LF : vscode.EndOfLine.CRLF));
    if (edits.length === 0) return true;
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, edits);
    return vscode.workspace.applyEdit(edit); // refused, if the document has another version by then
  }

  async save({ path }: EditorDocument): Promise<boolean> {
    const document = find(path);
    return document !== undefined && (!document.isDirty || (await document.save()));
  }

  problems(): readonly Problem[] {
    return vscode.languages
      .getDiagnostics()
      .flatMap(([uri, found]) => (uri.scheme === 'file' ? found.flatMap((one) => toProblem(uri, one)) : []));
  }

  onProblems(listener: () => void): () => void {
    const heard = vscode.languages.onDidChangeDiagnostics(listener);
    return () => void heard.dispose();
  }

  async lookAt(paths: readonly string[]): Promise<void> {
    for (const path of paths) await vscode.workspace.openTextDocument(vscode.Uri.file(path)).then(undefined, () => undefined); // no text
  }
}

const known = new Map<string, string>();

/** The path without links: how tools name files. */
export function pathOf({ fsPath }: vscode.Uri): string {
  let path = known.get(fsPath);
  if (path === undefined) {
    try {
      path = realpathSync.native(fsPath);
      known.set(fsPath, path);
    } catch {
      return fsPath; // not on disk (yet)
    }
  }
  return path;
}

const find = (path: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed && pathOf(uri) === path);

const toDocument = (document: vscode.TextDocument): EditorDocument => ({
  path: pathOf(document.uri),
  isDirty: document.isDirty,
  encoding: document.encoding,
  eol: document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n',
  version: document.version,
  text: () => document.getText(),
});

const toProblem = (uri: vscode.Uri, { severity, message, range, source }: vscode.Diagnostic): readonly Problem[] => {
  if (severity > vscode.DiagnosticSeverity.Warning) return [];
  const place = { path: pathOf(uri), line: range.start.line + 1, column: range.start.character + 1 };
  return [{ ...place, severity: severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning', message, source }];
};

/** The file of this window's folders that the user looks at. */
export function activeFileIn(folders: WindowFolders): ActiveFile | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') return undefined;
  const path = folders.locate(pathOf(editor.document.uri));
  if (path === undefined) return undefined;
  const { start, end, isEmpty } = editor.selection;
  return {
    path,
    text: editor.document.getText(),
    isDirty: editor.document.isDirty,
    selection: isEmpty ? undefined : { start_line: start.line + 1, end_line: end.line + 1 },
  };
}

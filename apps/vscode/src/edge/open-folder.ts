import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { clientIdFor, openLocalPolicy, workspaceExecutor, type ClientOptions, type ToolExecutor } from '@codelab/client';
import { openWorkspace, readAllowedSecrets, systemShell, workspaceIdentity, type Ask, type WorkspaceIdentity } from '@codelab/workspace';
import { waryPolicy } from '../core/session/wary-policy.js';
import { editorExecutor } from '../core/editor/editor-executor.js';
import { EditorFiles } from '../core/editor/editor-files.js';
import { tellProblems } from '../core/editor/problems-after.js';
import { FolderAttachments } from '../core/folders/folders-attachments.js';
import { foldersExecutor } from '../core/folders/folders-executor.js';
import { FolderUndo } from '../core/folders/folders-undo.js';
import { nameFolders, WindowFolders, type WindowFolder } from '../core/folders/window-folders.js';
import { configDirectory } from './config.js';
import { activeFileIn, VscodeEditor } from './editor/vscode-editor.js';

/** The folders of this window, with what runs in them. */
export interface OpenFolder {
  /** Of the main folder: whose conversations these are. */
  readonly identity: WorkspaceIdentity;
  readonly folders: WindowFolders;
  readonly executor: ToolExecutor;
  readonly attachments: FolderAttachments;
  readonly undo: FolderUndo;
  /** What a client of this folder is, whatever session it joins. */
  readonly client: Pick<ClientOptions, 'clientId' | 'workspace' | 'journalDir' | 'localPolicy' | 'allowedSecrets' | 'readAttachments'>;
}

interface Surroundings {
  readonly dataDir: string;
  readonly ask: Ask;
  readonly warn: (text: string) => void;
}

/** Opens the folders of a window for work, the main one first. Throws an `Error` with a sentence for the user, if the main one can't be. */
export async function openFolder(
  [main, ...others]: readonly [vscode.WorkspaceFolder, ...vscode.WorkspaceFolder[]],
  { dataDir, ask, warn }: Surroundings,
): Promise<OpenFolder> {
  const identity = await workspaceIdentity(main.uri.fsPath, dataDir);
  const editor = new VscodeEditor();
  const open = async (root: string, name: string): Promise<WindowFolder> => {
    const workspace = await openWorkspace({ root, dataDir, ask, openFiles: new EditorFiles(editor) });
    return { name, root: workspace.root, workspace, executor: workspaceExecutor(workspace, { configDir: configDirectory() }) };
  };
  const first = await open(identity.root, '');
  const names = await nameFolders(
    first.root,
    others.map(({ name }) => name),
  );
  const more: WindowFolder[] = [];
  for (const [at, { uri, name }] of others.entries())
    await open(realOf(uri.fsPath), names[at]!).then(
      (opened) => more.push(opened),
      (error: unknown) => warn(`The folder ${name} of the window is left out: ${String(error)}`),
    );
  const folders = new WindowFolders(first, more);
  const executor = editorExecutor(foldersExecutor(folders), () => activeFileIn(folders));
  const policy = openLocalPolicy({ dataDir, onProblem: warn, posixShell: async () => (await systemShell(identity.root)).posix });
  const attachments = new FolderAttachments(folders);
  return {
    ...{ identity, folders, attachments, undo: new FolderUndo(folders) },
    executor: { ...executor, run: tellProblems(executor.run.bind(executor), { host: editor, folders, isOn: showsProblems }) },
    client: {
      clientId: await clientIdFor(dataDir, identity.id),
      workspace: identity,
      journalDir: join(dataDir, 'journal'),
      localPolicy: waryPolicy(policy, () => vscode.workspace.isTrusted),
      allowedSecrets: () => readAllowedSecrets(dataDir),
      readAttachments: (specs) => attachments.read(specs),
    },
  };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // to open it says why it can't be
  }
}

const showsProblems = (): boolean => vscode.workspace.getConfiguration('codelab').get('diagnostics', true);

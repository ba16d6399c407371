import { join } from 'node:path';
import * as vscode from 'vscode';
import { clientIdFor, openLocalPolicy, workspaceExecutor, type ClientOptions, type ToolExecutor } from '@codelab/client';
import type { Attachment } from '@codelab/protocol';
import {
  openWorkspace,
  readAllowedSecrets,
  systemShell,
  workspaceIdentity,
  type Ask,
  type Workspace,
  type WorkspaceIdentity,
} from '@codelab/workspace';
import { waryPolicy } from '../core/session/wary-policy.js';
import { editorExecutor } from '../core/editor/editor-executor.js';
import { EditorFiles } from '../core/editor/editor-files.js';
import { tellProblems } from '../core/editor/problems-after.js';
import { configDirectory } from './config.js';
import { activeFileIn, VscodeEditor } from './editor/vscode-editor.js';

/** The folder of this window, with what runs in it. */
export interface OpenFolder {
  readonly identity: WorkspaceIdentity;
  readonly workspace: Workspace;
  readonly executor: ToolExecutor;
  /** What a client of this folder is, whatever session it joins. */
  readonly client: Pick<ClientOptions, 'clientId' | 'workspace' | 'journalDir' | 'localPolicy' | 'allowedSecrets' | 'readAttachments'>;
  readonly readMentioned: (content: string) => Promise<readonly Attachment[]>;
}

/** Opens a folder for work. Throws an `Error` with a sentence for the user, if it can't be. */
export async function openFolder(
  root: string,
  { dataDir, ask, warn }: { readonly dataDir: string; readonly ask: Ask; readonly warn: (text: string) => void },
): Promise<OpenFolder> {
  const identity = await workspaceIdentity(root, dataDir);
  const editor = new VscodeEditor();
  const workspace = await openWorkspace({ root: identity.root, dataDir, ask, openFiles: new EditorFiles(editor) });
  const executor = editorExecutor(workspaceExecutor(workspace, { configDir: configDirectory() }), () => activeFileIn(identity.root));
  const policy = openLocalPolicy({ dataDir, onProblem: warn, posixShell: async () => (await systemShell(identity.root)).posix });
  return {
    ...{ identity, workspace },
    executor: { ...executor, run: tellProblems(executor.run.bind(executor), { host: editor, root: identity.root, isOn: showsProblems }) },
    client: {
      clientId: await clientIdFor(dataDir, identity.id),
      workspace: identity,
      journalDir: join(dataDir, 'journal'),
      localPolicy: waryPolicy(policy, () => vscode.workspace.isTrusted),
      allowedSecrets: () => readAllowedSecrets(dataDir),
      readAttachments: (specs) => workspace.attachments.read(specs),
    },
    readMentioned: async (content) => workspace.attachments.read(await workspace.attachments.mentioned(content)),
  };
}

const showsProblems = (): boolean => vscode.workspace.getConfiguration('codelab').get('diagnostics', true);

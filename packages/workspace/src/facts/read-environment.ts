import { release, type } from 'node:os';
import type { WorkspaceEnvironment } from '@codelab/protocol';
import { findSecretReason } from '@codelab/tools';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { systemShell } from '../processes/shell/choose-shell.js';
import { detectProject } from './detect-project.js';
import { listTop } from './list-top.js';
import { readGitFacts } from './read-git-facts.js';

/** Bytes of a manifest that is read. */
const MAX_MANIFEST_BYTES = 256 * 1024;

const MAX_TEST_COMMAND = 200;

const readManifest = async (files: WorkspaceFiles, name: string): Promise<string> => {
  if (findSecretReason(name) !== undefined) return '';
  const state = await files.readEntry(toWorkspacePath(name), MAX_MANIFEST_BYTES).catch(() => undefined); // a link, or a giant: says nothing
  return state?.content.toString('utf8') ?? '';
};

const oneLine = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);

/** What a model should know of the machine and the project before it looks: read, never run. */
export async function readEnvironment(files: WorkspaceFiles, root: string, signal: AbortSignal): Promise<WorkspaceEnvironment> {
  const [top, git, shell] = await Promise.all([
    files.tree(toWorkspacePath('.'), (tree) => Promise.resolve(listTop(tree.way.at(-1)!))),
    readGitFacts(root, signal),
    systemShell(root),
  ]);
  const project = await detectProject({ names: top.names, read: (name) => readManifest(files, name) });
  return {
    os: `${type()} ${release()}`,
    shell: shell.program,
    root,
    ...git,
    tree: oneLine(top.text),
    package_manager: project.package_manager,
    test_command: project.test_command?.slice(0, MAX_TEST_COMMAND),
  };
}

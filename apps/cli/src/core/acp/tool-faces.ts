import type { ToolKind } from '@agentclientprotocol/sdk';
import { describeCall } from '@codelab/tools';
import { sanitiseLine, toolTitle } from '@codelab/tools/human';

/** How an editor shows the calls of a tool. `verb`: what stands before the argument that says most; none where that says all. */
interface ToolFace {
  readonly kind: ToolKind;
  readonly verb?: string;
}

const FACES: Readonly<Record<string, ToolFace>> = {
  read_file: { kind: 'read', verb: 'Read' },
  'media.read': { kind: 'read', verb: 'Look at' },
  list_files: { kind: 'search', verb: 'List' },
  search_in_project: { kind: 'search', verb: 'Search' },
  'index.search': { kind: 'search', verb: 'Search' },
  'index.map': { kind: 'search', verb: 'Map' },
  write_file: { kind: 'edit', verb: 'Write' },
  apply_patch: { kind: 'edit', verb: 'Edit' },
  apply_patch_review: { kind: 'edit', verb: 'Review' },
  create_directory: { kind: 'edit', verb: 'Create' },
  delete_file: { kind: 'delete', verb: 'Delete' },
  move_file: { kind: 'move', verb: 'Move' },
  run_command: { kind: 'execute' },
  'shell.exec': { kind: 'execute' },
  run_persistent: { kind: 'execute' },
  kill_process: { kind: 'execute', verb: 'End process' },
  'process.output': { kind: 'read', verb: 'Output of' },
  'kernel.execute': { kind: 'execute', verb: 'Run cell' },
  'git.status': { kind: 'read', verb: 'git status' },
  'git.diff': { kind: 'read', verb: 'git diff' },
  'git.log': { kind: 'read', verb: 'git log' },
  'git.branch': { kind: 'execute', verb: 'git branch' },
  'git.commit': { kind: 'execute', verb: 'git commit' },
  'web.fetch': { kind: 'fetch', verb: 'Fetch' },
  'web.search': { kind: 'fetch', verb: 'Search the web' },
  task: { kind: 'think', verb: 'Task' },
};

const MAX_TITLE = 200;

/** What kind of thing the tool does, in the words of the protocol. */
export const kindOf = (toolName: string): ToolKind => FACES[toolName]?.kind ?? 'other';

/** One line that says what a call does: `Read src/a.ts`, `npm test`, `tickets:open title: Broken`. */
export function titleOf(toolName: string, args: string): string {
  const { kind, verb = kind === 'execute' ? '' : toolTitle(toolName) } = FACES[toolName] ?? { kind: 'other' as const };
  const title = sanitiseLine(`${verb} ${describeCall(toolName, args)}`.trim(), MAX_TITLE);
  return title === '' ? toolTitle(toolName) : title;
}

import type { CallPreview, RunContext, ToolArguments, ToolExecutor, ToolOutcome } from '@codelab/client';
import type { InstructionFile, Operand, WorkspaceFacts } from '@codelab/protocol';
import { isJsonObject, type JsonObject } from '@codelab/tools';
import { nameInDiff, namePaths } from './name-paths.js';
import { routeCall, type Routed } from './route-call.js';
import type { WindowFolder, WindowFolders } from './window-folders.js';

/** Tools that are about a process by its name, which says nothing of its folder. */
const OF_PROCESS: ReadonlySet<string> = new Set(['run_persistent', 'kill_process', 'process.output']);

/** Bytes of instructions of the other folders: those of the main one come first, and facts have at most 192 KB. */
const MAX_OTHERS_BYTES = 32 * 1024;
/** Characters of the file tree of facts. */
const MAX_TREE = 4_000;
/** Where rules and agents lie: those of other folders than the main one don't count. */
const OF_MAIN_ALONE = /^\.(codelab|continue)\//;

/** The folders of a window as one executor: each call runs in the folder that its paths belong to. See {@link WindowFolders}. */
export function foldersExecutor(folders: WindowFolders): ToolExecutor {
  const { executor: main } = folders.main;
  if (folders.others.length === 0) return main;
  return {
    tools: main.tools,
    onToolsChanged: main.onToolsChanged,
    async run(toolName, args, context) {
      const { kind, ...route } = await find(folders, toolName, args);
      if (kind === 'refused') return refuse('INVALID_PATH', (route as Refusal).message);
      if (kind === 'log') return runAnywhere(folders, toolName, args, context);
      const { folder, args: inside } = route as Found;
      if (toolName === 'run_persistent' && args['action'] === 'list') return listEverywhere(folders, args, context);
      return runIn(folders, folder, { toolName, args: inside, context });
    },
    async preview(toolName, args, signal, sessionId) {
      const route = await find(folders, toolName, args);
      if (route.kind === 'refused') return refusedPreview(route.message);
      if (route.kind === 'log') return main.preview(toolName, args, signal, sessionId);
      const shown = await route.folder.executor.preview(toolName, route.args, signal, sessionId);
      return shown && namePreview(folders, route.folder, shown);
    },
    async findDoubt(toolName, args, signal, byRule) {
      const route = await find(folders, toolName, args);
      return route.kind === 'folder' ? route.folder.executor.findDoubt?.(toolName, route.args, signal, byRule) : undefined;
    },
    readFacts: async () => joinFacts(folders),
  };
}

type Found = Extract<Routed, { kind: 'folder' }>;
type Refusal = Extract<Routed, { kind: 'refused' }>;

async function find(folders: WindowFolders, toolName: string, args: ToolArguments): Promise<Routed> {
  const route = routeCall(folders, toolName, args);
  const id = args['process_id'];
  if (!OF_PROCESS.has(toolName) || typeof id !== 'string' || route.kind !== 'folder') return route;
  const owner = await ownerOf(folders, id);
  const isStart = toolName === 'run_persistent' && (args['action'] ?? 'start') === 'start';
  if (!isStart) return { ...route, folder: owner?.folder ?? folders.main };
  if (owner?.isRunning === true && owner.folder !== route.folder)
    return { kind: 'refused', message: `Another folder of the window runs a process ${id}: choose another name.` };
  return route;
}

interface Owner {
  readonly folder: WindowFolder;
  readonly isRunning: boolean;
}

/** The folder that has a process of this name: one that runs before one that ended. */
async function ownerOf(folders: WindowFolders, id: string): Promise<Owner | undefined> {
  const found: Owner[] = [];
  for (const folder of folders.all) {
    const process = (await processesOf(folder)).find((one) => one['process_id'] === id);
    if (process !== undefined) found.push({ folder, isRunning: process['status'] === 'running' });
  }
  return found.find(({ isRunning }) => isRunning) ?? found[0];
}

async function processesOf(folder: WindowFolder): Promise<readonly JsonObject[]> {
  const signal = new AbortController().signal;
  const outcome = await folder.workspace.run('run_persistent', { action: 'list' }, { signal, callId: 'list' });
  const list = outcome.ok && isJsonObject(outcome.result) ? outcome.result['processes'] : undefined;
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isJsonObject) : [];
}

async function listEverywhere(folders: WindowFolders, args: ToolArguments, context: RunContext): Promise<ToolOutcome> {
  const lists: unknown[] = [];
  for (const { executor } of folders.all) {
    const outcome = await executor.run('run_persistent', args, context);
    if (!outcome.ok) return outcome;
    const { processes } = outcome.result as { readonly processes?: unknown };
    if (Array.isArray(processes)) lists.push(...(processes as readonly unknown[]));
  }
  return { ok: true, result: { processes: lists } };
}

/** Asks one folder after another until one knows it. */
async function runAnywhere(folders: WindowFolders, toolName: string, args: ToolArguments, context: RunContext): Promise<ToolOutcome> {
  let first: ToolOutcome | undefined;
  for (const { executor } of folders.all) {
    const outcome = await executor.run(toolName, args, context);
    if (outcome.ok || outcome.error.code !== 'FILE_NOT_FOUND') return outcome;
    first ??= outcome;
  }
  return first!; // there is a main folder
}

interface Call {
  readonly toolName: string;
  readonly args: JsonObject;
  readonly context: RunContext;
}

async function runIn(folders: WindowFolders, folder: WindowFolder, { toolName, args, context }: Call): Promise<ToolOutcome> {
  if (folder === folders.main) return folder.executor.run(toolName, args, context);
  const operands = context.operands?.map((operand): Operand => ({ ...operand, path: folders.place(operand.path).path }));
  const outcome = await folder.executor.run(toolName, args, { ...context, operands });
  if (!outcome.ok) return { ok: false, error: { ...outcome.error, message: `${outcome.error.message} (in the folder ${folder.name})` } };
  return {
    ok: true,
    result: isJsonObject(outcome.result) ? namePaths(outcome.result, (path) => folders.name({ folder, path })) : outcome.result,
  };
}

function namePreview(folders: WindowFolders, folder: WindowFolder, shown: CallPreview): CallPreview {
  if (folder === folders.main) return shown;
  const rename = (path: string): string => folders.name({ folder, path });
  const { preview, operands } = shown;
  return {
    ...shown,
    preview: preview.kind === 'diff' ? { ...preview, text: nameInDiff(preview.text, rename) } : preview,
    ...(operands && { operands: operands.map((operand): Operand => ({ ...operand, path: rename(operand.path) })) }),
  };
}

/** Facts of the main folder, where the others are, and what these say of themselves. */
async function joinFacts(folders: WindowFolders): Promise<WorkspaceFacts> {
  const [main, ...others] = await Promise.all(
    folders.all.map(async ({ executor }): Promise<WorkspaceFacts> => executor.readFacts?.() ?? {}),
  );
  const { environment, files = [] } = main!; // all of them are asked, the main one first
  const lines = folders.others.map(({ name, root }) => `${name}/ (another folder of this window: ${root})`);
  const tree = [...lines, environment?.tree ?? ''].join('\n').slice(0, MAX_TREE);
  let room = MAX_OTHERS_BYTES;
  const more = others.flatMap((facts, at) => {
    const folder = folders.others[at]!; // as above
    return (facts.files ?? []).flatMap((file): InstructionFile[] => {
      if (file.scope !== 'workspace' || OF_MAIN_ALONE.test(file.path)) return [];
      room -= Buffer.byteLength(file.content ?? '');
      return room < 0 ? [] : [{ ...file, path: folders.name({ folder, path: file.path }) }];
    });
  });
  const all = [...files, ...more];
  return { ...main, environment: { ...environment, tree }, files: all.length === 0 ? undefined : all };
}

const refuse = (code: 'INVALID_PATH', message: string): ToolOutcome => ({ ok: false, error: { code, message } });

const refusedPreview = (message: string): CallPreview => ({
  preview: { kind: 'text', text: `This call would fail. ${message}` },
  operands: [],
  fault: { code: 'INVALID_PATH', message },
});

import type { ToolArguments } from '@codelab/client';
import { findWireTool, type JsonObject } from '@codelab/tools';
import { parsePatch, pathsOfPatch } from '@codelab/tools/patch';
import { renameInPatch } from './name-paths.js';
import type { WindowFolder, WindowFolders } from './window-folders.js';

/** Which folder a call is about, with the arguments as that folder takes them; or why it is about none. */
export type Routed =
  | { readonly kind: 'folder'; readonly folder: WindowFolder; readonly args: JsonObject }
  /** Whole output of commands: only the folder that ran the command has it. */
  | { readonly kind: 'log' }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Finds the folder that a call belongs to by the paths that it names: a call that names none is about the main folder. One with paths in two
 * folders is refused, since what a call changes is changed all together or not at all (W2).
 */
export function routeCall(folders: WindowFolders, toolName: string, given: ToolArguments): Routed {
  const args = given as JsonObject; // arguments come out of JSON
  const about = findWireTool(toolName)?.paths;
  if (about === undefined || about === 'none') return { kind: 'folder', folder: folders.main, args };
  if (about === 'unknown') return together(folders, { args, fields: ['cwd'] });
  const { named = [], list, diff } = about;
  if (diff !== undefined) return routeDiff(folders, args, diff);
  if (named.some((field) => typeof args[field] === 'string' && args[field].startsWith('codelab-log:'))) return { kind: 'log' };
  return together(folders, { args, fields: named, list });
}

interface Asked {
  readonly args: JsonObject;
  readonly fields: readonly string[];
  readonly list?: string | undefined;
}

function together(folders: WindowFolders, { args, fields, list }: Asked): Routed {
  const routed: Record<string, unknown> = { ...args };
  const met = new Set<WindowFolder>();
  const enter = (value: unknown): unknown => {
    if (typeof value !== 'string') return value; // the folder says what is wrong with it
    const { folder, path } = folders.place(value);
    met.add(folder);
    return path;
  };
  for (const field of fields) if (field in routed) routed[field] = enter(routed[field]);
  const items = list === undefined ? undefined : routed[list];
  if (list !== undefined && Array.isArray(items)) routed[list] = (items as readonly unknown[]).map(enter);
  return inOne(folders, met, () => routed as JsonObject); // the same shapes
}

function routeDiff(folders: WindowFolders, args: JsonObject, field: string): Routed {
  const diff = args[field];
  if (typeof diff !== 'string') return { kind: 'folder', folder: folders.main, args };
  let paths: readonly string[];
  try {
    paths = pathsOfPatch(parsePatch(diff));
  } catch {
    return { kind: 'folder', folder: folders.main, args }; // no patch: the tool says why
  }
  const met = new Set(paths.map((path) => folders.place(path).folder));
  return inOne(folders, met, (folder) =>
    folder === folders.main ? args : { ...args, [field]: renameInPatch(diff, (path) => folders.place(path).path) },
  );
}

function inOne(folders: WindowFolders, met: ReadonlySet<WindowFolder>, argsFor: (folder: WindowFolder) => JsonObject): Routed {
  if (met.size > 1) {
    const names = [...met].map(({ name }) => (name === '' ? 'the main folder' : name)).join(' and ');
    return {
      kind: 'refused',
      message: `One call works in one folder of the window, and this one names paths of ${names}: use a call for each.`,
    };
  }
  const [folder = folders.main] = met;
  return { kind: 'folder', folder, args: argsFor(folder) };
}

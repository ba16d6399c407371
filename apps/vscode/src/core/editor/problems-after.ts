import type { ToolExecutor } from '@codelab/client';
import { findTool, isJsonObject, pathsOfCall, type JsonObject } from '@codelab/tools';
import type { WindowFolders } from '../folders/window-folders.js';
import type { EditorHost, Problem } from './editor-host.js';

/** Tools whose changes are looked at. */
const CHANGES: ReadonlySet<string> = new Set(['write_file', 'editor.write', 'apply_patch']);

/** Files that are looked at after one call, and problems that are told of it. */
const MAX_FILES = 8;
const MAX_PROBLEMS = 20;

/** How long the editor has to say something, and to say no more, in milliseconds. */
const FIRST_MS = 1_500;
const QUIET_MS = 300;
const LONGEST_MS = 4_000;

interface Parts {
  readonly host: EditorHost;
  readonly folders: Pick<WindowFolders, 'absolute' | 'locate'>;
  readonly isOn: () => boolean;
  /** In milliseconds; for tests. */
  readonly waits?: { readonly first: number; readonly quiet: number; readonly longest: number };
}

/** The run of an executor that adds to a change the problems which the editor sees because of it: `feedback` of the result, for the model. */
export function tellProblems(run: ToolExecutor['run'], parts: Parts): ToolExecutor['run'] {
  return async (toolName, args, context) => {
    if (!CHANGES.has(toolName) || !parts.isOn()) return run(toolName, args, context);
    const paths = filesOf(toolName, args as JsonObject).slice(0, MAX_FILES);
    const before = new Set(parts.host.problems().map(keyOf));
    const outcome = await run(toolName, args, context);
    if (!outcome.ok || !isJsonObject(outcome.result)) return outcome;
    await settle(parts, paths, context.signal);
    const feedback = describe(parts, paths, before);
    return feedback === undefined ? outcome : { ok: true, result: { ...outcome.result, feedback } };
  };
}

const filesOf = (toolName: string, args: JsonObject): readonly string[] => {
  const tool = findTool(toolName);
  return (tool && pathsOfCall(tool, args)) ?? [];
};

const keyOf = ({ path, severity, message }: Problem): string => `${path}\n${severity}\n${message}`;

/** Waits until the editor has looked at the files. */
async function settle({ host, folders, waits }: Parts, paths: readonly string[], signal: AbortSignal): Promise<void> {
  const { first, quiet, longest } = waits ?? { first: FIRST_MS, quiet: QUIET_MS, longest: LONGEST_MS };
  await new Promise<void>((resolve) => {
    let timer = setTimeout(() => finish(), first);
    const limit = setTimeout(() => finish(), longest);
    const end = host.onProblems(() => {
      clearTimeout(timer);
      timer = setTimeout(() => finish(), quiet);
    });
    const finish = (): void => {
      clearTimeout(timer);
      clearTimeout(limit);
      end();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    signal.addEventListener('abort', finish);
    if (signal.aborted) finish();
    else void host.lookAt(paths.map((path) => folders.absolute(path))).catch(() => undefined); // a file that is no text has no problems
  });
}

/** Problems of the files that were changed, and errors elsewhere that were not there before. */
function describe({ host, folders }: Parts, paths: readonly string[], before: ReadonlySet<string>): string | undefined {
  const changed = new Set(paths.map((path) => folders.absolute(path)));
  const told = host
    .problems()
    .filter((problem) => changed.has(problem.path) || (problem.severity === 'error' && !before.has(keyOf(problem))))
    .flatMap((problem) => {
      const path = folders.locate(problem.path);
      return path === undefined ? [] : [{ problem, path }];
    })
    .sort((one, other) => rank(one.problem, changed) - rank(other.problem, changed));
  if (told.length === 0) return undefined;
  const lines = told.slice(0, MAX_PROBLEMS).map(({ problem, path }) => {
    const { line, column, severity, message, source } = problem;
    const isNew = before.has(keyOf(problem)) ? '' : ', new';
    const words = message.replaceAll(/\s+/g, ' ').slice(0, 300);
    return `${path}:${String(line)}:${String(column)} ${severity}${isNew}: ${words}${source === undefined ? '' : ` (${source})`}`;
  });
  const more = told.length - lines.length;
  return ['Problems that the editor sees after this change:', ...lines, ...(more > 0 ? [`… and ${String(more)} more`] : [])].join('\n');
}

const rank = ({ path, severity }: Problem, changed: ReadonlySet<string>): number =>
  (severity === 'error' ? 0 : 2) + (changed.has(path) ? 0 : 1);

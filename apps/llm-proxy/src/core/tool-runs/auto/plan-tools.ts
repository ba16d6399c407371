import type { ServerTool, SessionMeta, StepTool } from '@codelab/bus';
import { isDeepStrictEqual } from 'node:util';
import { codelabVocabulary } from '@codelab/tools';
import type { DeclaredTool } from '../catalog/declared-tools.js';
import { toolsOfSession, toToolInfo, type ToolInfo } from '../catalog/tool-info.js';

/** What can be run here: the tools of a session's IDE, and those by URL. */
export interface Runnable {
  readonly session: SessionMeta;
  readonly serverTools: readonly ServerTool[];
  readonly mayUse: (name: string) => boolean;
}

/** Who runs which tool of a request. */
export interface ToolPlan {
  /** Tools that the request doesn't declare and that are offered all the same; their definitions go behind its own. */
  readonly added: readonly ToolInfo[];
  /** Of the IDE, by the names that it declared. */
  readonly executorTools: readonly string[];
  /** By URL. */
  readonly serverTools: readonly ServerTool[];
  /** Name in the request → the model's name of the tool of the IDE. */
  readonly modelNames: ReadonlyMap<string, string>;
}

const isSame = isDeepStrictEqual;

/** The names that a tool of the IDE may go by in a request: its own and the one that models are shown. */
const namesOf = (name: string): readonly string[] => [name, codelabVocabulary.toModelName(name)];

/** The tools that are known here, by each of their names; of two with one name the IDE's counts. */
function known({ session, serverTools, mayUse }: Runnable): readonly (ToolInfo & { readonly byUrl?: ServerTool })[] {
  const own = toolsOfSession(session).filter(({ name }) => mayUse(name));
  const taken = new Set(own.flatMap(({ name }) => namesOf(name)));
  return [...own, ...serverTools.filter(({ name }) => mayUse(name) && !taken.has(name)).map((byUrl) => ({ ...toToolInfo(byUrl), byUrl }))];
}

/**
 * Decides who runs which tool. A tool that the request declares is the caller's own: it is handed over, and hides one of the same name here.
 * Unless it is declared exactly as `GET /v1/tools` shows it: then the caller picked that one, and it is run here.
 *
 * @param all offer every tool of the IDE and by URL, not only those that were picked
 */
export function planTools(declared: readonly DeclaredTool[], runnable: Runnable, all: boolean): ToolPlan {
  const wanted = new Map(declared.map((tool) => [tool.name, tool]));
  const added: ToolInfo[] = [];
  const executorTools: string[] = [];
  const serverTools: ServerTool[] = [];
  const modelNames = new Map<string, string>();
  for (const { byUrl, ...tool } of known(runnable)) {
    const names = byUrl === undefined ? namesOf(tool.name) : [tool.name];
    const named = names.flatMap((name) => wanted.get(name) ?? []);
    const isPicked = named.length > 0 && named.every(({ parameters }) => isSame(parameters, tool.inputSchema));
    if (!isPicked && (named.length > 0 || !all)) continue;
    if (!isPicked) added.push(tool);
    if (byUrl !== undefined) serverTools.push(byUrl);
    else executorTools.push(tool.name);
    const modelName = byUrl === undefined ? codelabVocabulary.toModelName(tool.name) : tool.name;
    for (const name of isPicked ? named.map((one) => one.name) : [tool.name]) modelNames.set(name, modelName);
  }
  return { added, executorTools, serverTools, modelNames };
}

/** The tools of a decoded request that only its caller can run. */
export const callersOf = <T extends StepTool>(tools: readonly T[], { modelNames }: ToolPlan): readonly T[] =>
  tools.filter(({ name }) => !modelNames.has(name));

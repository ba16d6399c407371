import type { SessionMeta, StepTool } from '@codelab/bus';
import { isDeepStrictEqual } from 'node:util';
import { codelabVocabulary, readMcpToolName } from '@codelab/tools';
import type { DeclaredTool } from '../catalog/declared-tools.js';
import { toolsOfSession, type ToolInfo } from '../catalog/tool-info.js';

/** What can be run here: the tools of a session's IDE, and those that the servers run. */
export interface Runnable {
  readonly session: SessionMeta;
  readonly serverTools: readonly ToolInfo[];
  readonly mayUse: (name: string) => boolean;
}

/** Who runs which tool of a request. */
export interface ToolPlan {
  /** Tools that the request doesn't declare and that are offered all the same; their definitions go behind its own. */
  readonly added: readonly ToolInfo[];
  /** Of the IDE, by the names that it declared. */
  readonly executorTools: readonly string[];
  /** Of the servers. */
  readonly serverTools: readonly ToolInfo[];
  /** Name in the request → the model's name of the tool of the IDE. */
  readonly modelNames: ReadonlyMap<string, string>;
}

const isSame = isDeepStrictEqual;

/** A tool that is known here, and who runs it. */
type Known = readonly [tool: ToolInfo, by: 'executor' | 'server'];

/** What models call a tool: those of the servers as they are, but for the names that MCP servers gave. */
const modelNameOf = (name: string, by: Known[1]): string =>
  by === 'server' && readMcpToolName(name) === undefined ? name : codelabVocabulary.toModelName(name);

/** The names that a tool may go by in a request: its own and the one that models are shown. */
const namesOf = ([{ name }, by]: Known): readonly string[] => [...new Set([name, modelNameOf(name, by)])];

/** The tools that are known here, by each of their names; of two with one name the IDE's counts. */
function known({ session, serverTools, mayUse }: Runnable): readonly Known[] {
  const own = toolsOfSession(session).flatMap((tool): Known[] => (mayUse(tool.name) ? [[tool, 'executor']] : []));
  const taken = new Set(own.flatMap(namesOf));
  const free = serverTools.filter(({ name }) => mayUse(name) && !taken.has(name));
  return [...own, ...free.map((tool): Known => [tool, 'server'])];
}

/**
 * Decides who runs which tool. A tool that the request declares is the caller's own: it is handed over, and hides one of the same name here.
 * Unless it is declared exactly as `GET /v1/tools` shows it: then the caller picked that one, and it is run here.
 *
 * @param all offer every tool of the IDE and of the servers, not only those that were picked
 */
export function planTools(declared: readonly DeclaredTool[], runnable: Runnable, all: boolean): ToolPlan {
  const wanted = new Map(declared.map((tool) => [tool.name, tool]));
  const added: ToolInfo[] = [];
  const executorTools: string[] = [];
  const serverTools: ToolInfo[] = [];
  const modelNames = new Map<string, string>();
  for (const one of known(runnable)) {
    const [tool, by] = one;
    const named = namesOf(one).flatMap((name) => wanted.get(name) ?? []);
    const isPicked = named.length > 0 && named.every(({ parameters }) => isSame(parameters, tool.inputSchema));
    if (!isPicked && (named.length > 0 || !all)) continue;
    if (!isPicked) added.push(tool);
    if (by === 'server') serverTools.push(tool);
    else executorTools.push(tool.name);
    for (const name of isPicked ? named.map(({ name }) => name) : [tool.name]) modelNames.set(name, modelNameOf(tool.name, by));
  }
  return { added, executorTools, serverTools, modelNames };
}

/** The tools of a decoded request that only its caller can run. */
export const callersOf = <T extends StepTool>(tools: readonly T[], { modelNames }: ToolPlan): readonly T[] =>
  tools.filter(({ name }) => !modelNames.has(name));

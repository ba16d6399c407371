import type { Scope } from '@codelab/auth';
import { ApiError, type DialectName } from '@codelab/llm';
import { AskedModel, readObject, type AskedPorts } from '../serve/asked-model.js';
import type { ToolRuns } from '../serve/tool-runs.js';
import type { Exchange } from '../serve/route.js';
import { chooseSession } from './auto/choose-session.js';
import { appendTools, declaredTools, type DeclaredTool } from './catalog/declared-tools.js';
import { listTools, openToolbox, type Toolbox, type ToolSources } from './catalog/list-tools.js';
import { planTools, type ToolPlan } from './auto/plan-tools.js';
import { asksForTools, readOptions, type ToolRunOptions } from './auto/read-options.js';
import { serveAuto, type ServeAutoPorts } from './auto/serve-auto.js';
import { whileRedisServes } from './while-redis-serves.js';
import { withBody } from './auto/with-body.js';

export interface ToolRunPorts extends Omit<ToolSources, 'children'>, Omit<ServeAutoPorts, 'children'> {
  readonly children: ToolSources['children'] & ServeAutoPorts['children'];
  readonly asked: AskedPorts;
  /** Answers a request for a model as if it had asked for nothing beyond it. */
  readonly answer: (exchange: Exchange, dialect: DialectName) => Promise<void>;
}

/** What a request says of tools, before any model is chosen. */
interface Wanted {
  readonly options: ToolRunOptions;
  readonly declared: readonly DeclaredTool[];
}

/** Requests that ask for the tools of the caller's IDEs, in any dialect. */
export function createToolRuns(ports: ToolRunPorts): ToolRuns {
  return {
    handles: asksForTools,
    serve: async (exchange, body) => {
      const wanted = { options: readOptions(body, exchange.headers), declared: declaredTools(readObject(exchange), exchange.dialect) };
      await (wanted.options.execution === 'auto' ? runTools(exchange, wanted, ports) : offerTools(exchange, wanted, ports));
    },
  };
}

/** `tool_execution: "none"`: the tools are offered to the model, and its calls passed on to the caller. */
async function offerTools(exchange: Exchange, { options, declared }: Wanted, ports: ToolRunPorts): Promise<void> {
  const { caller, dialect } = exchange;
  if (!options.useIdeTools) return ports.answer(exchange, dialect);
  demand(exchange, 'tools:list', 'use_ide_tools');
  const toolbox = await whileRedisServes(() => openToolbox(caller.owner, ports, options.sessionId));
  const { sessionId } = options;
  const sessions = sessionId === undefined ? toolbox.sessions : [chooseSession(toolbox.sessions, sessionId)];
  const known = listTools({ ...toolbox, sessions, webTools: [] });
  if (sessions.length === 0 && !toolbox.hasRegistered) chooseSession(sessions, undefined); // says that none is connected
  const own = new Set(declared.map(({ name }) => name));
  const added = known.filter(({ name }) => !own.has(name));
  await ports.answer(withBody(exchange, appendTools(exchange.bodyText(), dialect, added)), dialect);
}

/** `tool_execution: "auto"`: the tools are run here. What has nothing to run is passed on, with or without Redis and an IDE. */
async function runTools(exchange: Exchange, { options, declared }: Wanted, ports: ToolRunPorts): Promise<void> {
  const { caller, dialect } = exchange;
  demand(exchange, 'tools:run', 'tool_execution: "auto"');
  const all = options.useIdeTools || declared.length === 0;
  const opening = whileRedisServes(() => openToolbox(caller.owner, ports, options.sessionId));
  const toolbox = await (all ? opening : opening.catch(() => NOTHING));
  if (!all && !toolbox.sessions.some((session) => hasRunnable(planTools(declared, { ...toolbox, session }, false)))) {
    return ports.answer(exchange, dialect);
  }
  const session = chooseSession(toolbox.sessions, options.sessionId);
  const plan = planTools(declared, { ...toolbox, session }, all);
  const edited = withBody(exchange, appendTools(exchange.bodyText(), dialect, plan.added));
  await serveAuto(exchange, { asked: AskedModel.read(edited, dialect, ports.asked), session, plan, options }, ports);
}

/** What is known of tools where nobody can be asked. */
const NOTHING: Toolbox = { sessions: [], serverTools: [], webTools: [], hasRegistered: false, mayUse: () => false };

const hasRunnable = ({ executorTools, serverTools }: ToolPlan): boolean => executorTools.length + serverTools.length > 0;

function demand({ caller }: Exchange, scope: Scope, what: string): void {
  if (!caller.scopes.includes(scope)) throw new ApiError('forbidden', `the token has no scope \`${scope}\`, which ${what} needs`);
}

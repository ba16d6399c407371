import { appliesTo, findTool, type Instruction, isJsonObject, type JsonObject, pathsOfCall, type WorkedOn } from '@codelab/tools';
import { decodeServerFrame, type UndoneFiles } from '@codelab/protocol';
import { findAgent } from '../model/agent-modes.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { callsOf, type Call, type SettledCall } from '../turn/turn-state.js';
import { placeOf } from './place-of.js';
import { block } from './quote-block.js';
import { lastingFacts } from './render-environment.js';
import { listOnRequest, renderInstruction } from './render-instructions.js';
import { familyOf } from './texts.js';
import { beginTold, dayOf, digestOf, type Told, undoingsOf, untold } from './told.js';
import type { SessionFacts } from '../session/session-facts.js';

/**
 * Before what the user says next: what has changed since the model was told, as one note. The first time there is nothing to tell, for the system
 * prompt says it.
 */
export function tellNews(builder: StepBuilder): void {
  const { context, nowMs, runningTurn } = builder;
  const { facts } = context;
  const { latest } = facts.knowledge;
  const place = placeOf(facts);
  const { model } = runningTurn;
  const { title: agent } = findAgent(facts, runningTurn.agent);
  const before = toldOf(builder);
  if (before === undefined) return;
  const told = model === '' ? before : { ...before, family: familyOf(model) };
  const environment = digestOf(latest.environment, place);
  const today = dayOf(nowMs);
  const undone = findUndone(facts, told);
  const fresh = latest.instructions.filter((file) => isNews(file, told));
  const gone = Object.keys(told.files).filter((key) => !latest.instructions.some((file) => file.key === key));
  const news = [
    ...(agent === (told.agent ?? agent) ? [] : [`You are the agent ${agent} from here on, and no longer ${told.agent ?? ''}.`]),
    ...(today === told.today ? [] : [`Today is ${today} (UTC).`]),
    ...undone.map(sayUndone),
    ...(environment === told.environment
      ? []
      : [`The environment has changed:\n${block('environment', {}, lastingFacts(latest.environment, place).join('\n'))}`]),
    ...sayInstructions(fresh),
    ...(gone.length === 0 ? [] : [`These instructions are gone and hold no longer: ${gone.map(pathOf).join(', ')}.`]),
  ];
  if (news.length > 0) builder.remember({ role: 'note', content: news.join('\n\n'), at_ms: nowMs });
  for (const { paths, more } of undone) forgetReads(builder, paths, more);
  const kept = Object.entries(told.files).filter(([key]) => !gone.includes(key));
  builder.state = {
    ...builder.state,
    told: {
      ...{ ...told, agent, today, environment, files: { ...Object.fromEntries(kept), ...digestsOf(fresh) } },
      undone: { workspace: workspaceOf(facts), ids: undoingsOf(latest) },
    },
  };
}

const workspaceOf = ({ workspace }: SessionFacts): string => workspace?.id ?? '';

/** What was undone since the session was told. In another workspace it is what was undone before the session came to it. */
const findUndone = (facts: SessionFacts, { undone }: Told): readonly UndoneFiles[] =>
  undone === undefined || undone.workspace !== workspaceOf(facts)
    ? []
    : (facts.knowledge.latest.undone ?? []).filter(({ undo_id }) => !undone.ids.includes(undo_id));

const sayUndone = ({ paths, more = 0 }: UndoneFiles): string => {
  const names = paths.map((path) => JSON.stringify(path)).join(', ');
  const others = more === 0 ? '' : ` and ${String(more)} more`;
  return `The user has undone changes: these files are as they were before them: ${names}${others}. Read one again before you change it.`;
};

/** What was read of these files holds no longer. */
const forgetReads = (builder: StepBuilder, paths: readonly string[], more = 0): void => {
  if (more > 0) return builder.dropReads();
  const known = paths.filter((path) => builder.state.marks?.reads[path] !== undefined);
  if (known.length > 0) builder.mark({ reads: Object.fromEntries(known.map((path) => [path, null])) });
};

/** What the system prompt of a session follows from; nothing where a program says everything. Older releases began turns without it. */
export const toldOf = ({ context: { facts }, state, runningTurn, nowMs }: StepBuilder): Told | undefined =>
  facts.program === undefined
    ? (state.told ??
      beginTold(facts.knowledge, {
        ...{ place: placeOf(facts), workspace: workspaceOf(facts), nowMs, model: runningTurn.model },
        agent: findAgent(facts, runningTurn.agent).title,
      }))
    : undefined;

/** Behind the results of an answer: instructions about the files that it worked on, the first time that it works on one. */
export function tellInstructions(builder: StepBuilder): void {
  const { told } = builder.state;
  if (told === undefined) return;
  const waiting = builder.context.facts.knowledge.latest.instructions.filter(
    ({ use, key }) => use === 'by_file' && told.files[key] === undefined,
  );
  if (waiting.length === 0) return;
  const worked = callsOf(builder.runningTurn).flatMap(filesOf);
  const due = waiting.filter((file) => worked.some((each) => appliesTo(file, each)));
  if (due.length === 0) return;
  builder.remember({ role: 'note', content: sayInstructions(due).join('\n\n'), at_ms: builder.nowMs });
  builder.state = { ...builder.state, told: { ...told, files: { ...told.files, ...digestsOf(due) } } };
}

/** The history has lost its notes: what they said is told again when it matters. */
export function tellAgain(builder: StepBuilder): void {
  const { told } = builder.state;
  if (told !== undefined) builder.state = { ...builder.state, told: untold(told, builder.context.facts.knowledge) };
}

/** What is about files only is told when one of these is worked on; changed, it is told at once. */
const isNews = ({ key, digest, use }: Instruction, { files }: Told): boolean =>
  files[key] === undefined ? use !== 'by_file' : files[key] !== digest;

const sayInstructions = (files: readonly Instruction[]): readonly string[] => {
  const named = files.filter(({ use }) => use === 'on_request');
  const whole = files.filter(({ use }) => use !== 'on_request');
  return [
    ...(whole.length === 0
      ? []
      : [
          `Instructions for this project, to be followed from here on unless they concern safety or approvals:\n${whole.map(renderInstruction).join('\n')}`,
        ]),
    ...(named.length === 0 ? [] : [`Rules on request, new or changed:\n${listOnRequest(named)}`]),
  ];
};

const digestsOf = (files: readonly Instruction[]): Told['files'] => Object.fromEntries(files.map(({ key, digest }) => [key, digest]));

const pathOf = (key: string): string => JSON.stringify(key.slice(key.indexOf(':') + 1));

/** The files that a call was about, with their text where the call shows it. */
function filesOf(call: Call): readonly WorkedOn[] {
  if (call.state !== 'settled') return [];
  const args = argumentsOf(call);
  const tool = findTool(call.toolName);
  if (args === undefined || tool === undefined) return [];
  const text = textOf(call, args);
  return (pathsOfCall(tool, args) ?? []).map((path) => ({ path: path.replace(/^(\.\/)+/, ''), text }));
}

const argumentsOf = ({ frame, edited }: SettledCall): JsonObject | undefined => {
  const sent = decodeServerFrame(frame ?? '');
  const args: unknown = edited === undefined ? (sent?.type === 'tool_call' ? sent.args.parse() : undefined) : JSON.parse(edited);
  return isJsonObject(args) ? args : undefined;
};

const textOf = ({ toolName, result }: SettledCall, args: JsonObject): string | undefined => {
  if (toolName === 'write_file') return typeof args['content'] === 'string' ? args['content'] : undefined;
  if (toolName !== 'read_file' || result.isError) return undefined;
  const read: unknown = JSON.parse(result.content);
  return isJsonObject(read) && typeof read['content'] === 'string' ? read['content'] : undefined;
};

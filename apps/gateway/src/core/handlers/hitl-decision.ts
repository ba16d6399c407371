import { toPolicyRules, type SessionMeta, type StoredRule } from '@codelab/bus';
import {
  refuse,
  type ClientFrameOf,
  type ErrorCode,
  type ForeignTool,
  type JsonText,
  type Refusal,
  type CallRecord,
  type DecisionRecord,
} from '@codelab/protocol';
import {
  argsDigest,
  auditTarget,
  decidePolicy,
  DEFAULT_DEADLINE_MS,
  findWireTool,
  isJsonObject,
  parseArguments,
  PLAN_POLICY,
  PLAN_TOOL,
  type JsonObject,
  type ParsedArguments,
  type ToolDefinition,
} from '@codelab/tools';
import { signatureOf } from '@codelab/auth';
import type { Caller } from '../caller.js';
import { isStoreAway } from '../refusals.js';
import { agentOf, judgedAs, readRemembered, rulesSession, workspaceIdOf, type RuleToKeep } from '../rules/remember-rule.js';
import { encodeServerFrame } from '../delivery/encode-server-frame.js';
import { readCallFrame } from '../delivery/present-call.js';
import type { Handler, HandlerPorts } from './handler.js';
import { answerLogged } from './outcome.js';

type Decision = ClientFrameOf<'hitl_decision'>;

const WHY: Partial<Record<ErrorCode, string>> = {
  UNKNOWN_CALL: 'no call of this session has this call_id',
  ALREADY_RESOLVED: 'the call was decided, answered or ended before: nothing changed',
  EXPIRED: 'the time for this decision is over',
  DIGEST_MISMATCH:
    'the decision names other arguments, or an earlier question, than the call has now: look at the call again; nothing was decided',
  OVERLOADED: 'the session has too much to consume: nothing was decided, send the decision again',
};

/** A digest that no call has: the store then tells what became of the call, and decides nothing. */
const NO_DIGEST = '-';

/**
 * Decides one call (H1, H3), bound to its arguments and to the question that was shown (H2). Edited arguments are validated and judged
 * again: what a policy denies stays denied, whoever approves. The answer is the `approval_resolved` that the script logged. A rule that is made of the decision is judged
 * before it and kept after it: where something dies between the two, the human is asked once more, and nothing runs that nobody allowed. What
 * else waits is judged by it once more, by the runtime, as new calls are.
 */
export const handleHitlDecision =
  (ports: HandlerPorts): Handler<'hitl_decision'> =>
  async (frame, caller) => {
    const { store, storeClock } = ports;
    const { call_id: callId } = frame;
    if (!caller.identity.scopes.includes('approve')) return refuse('FORBIDDEN', 'this token lacks the scope approve', callId);
    const call = (await store.readCalls(caller.session.sid)).find((record) => record.callId === callId);
    const waiting = call?.state === 'waiting_approval' ? call : undefined;
    const judged = waiting === undefined ? NOT_WAITING : await judge(ports, frame, waiting, caller);
    if ('ok' in judged) return judged;
    const decided = await store.decideCall(caller.session, {
      ...toStored(frame, { ...judged.record, atMs: storeClock.now(), ...(judged.remembered && { remembered: true }) }, waiting),
      ...(judged.target === undefined ? {} : { target: judged.target }),
    });
    if (decided.kind === 'refused') return refuse(decided.code, WHY[decided.code] ?? decided.code, callId);
    if (judged.remembered !== undefined) await keep(ports, judged.remembered);
    return answerLogged(decided.frame);
  };

interface Judged {
  readonly record: Omit<DecisionRecord, 'atMs'>;
  /** What the edited call acts on. */
  readonly target?: string;
  readonly remembered?: RuleToKeep;
}

/** The store says what became of a call that nobody can decide any more. */
const NOT_WAITING: Judged = { record: { outcome: 'rejected', argsSha256: '', by: '' } };

async function judge({ store, rules, clock }: HandlerPorts, frame: Decision, call: CallRecord, caller: Caller): Promise<Judged | Refusal> {
  const { decision, feedback, modified_args: modified, remember } = frame;
  const by = signatureOf(caller.identity);
  const signed = { by: frame.no_human === true ? 'policy' : by, feedback };
  const asIs = { outcome: decision === 'approve' ? 'approved' : 'rejected', argsSha256: call.argsSha256, ...signed } as const;
  if (decision !== 'edit' && remember === undefined) return { record: asIs };
  const meta = await store.readMeta(caller.session);
  if (meta === undefined) return refuse('SESSION_NOT_FOUND', 'the session was deleted', call.callId);
  const stored = await rules.readFor(rulesSession(meta));
  const { tool_name: toolName, args: asked } = readCallFrame(call);
  const nowMs = clock.now();
  const edited = decision === 'edit' ? judgeEdited(toolName, modified!, { meta, agent: agentOf(call, meta), stored, nowMs }) : undefined;
  if (edited?.ok === false) return { ...edited, replyTo: call.callId };
  const record =
    edited === undefined ? asIs : ({ outcome: 'edited', args: edited.text, argsSha256: argsDigest(edited.args), ...signed } as const);
  const target = edited === undefined ? {} : { target: auditTarget(toolName, edited.args) };
  if (remember === undefined) return { record, ...target };
  const args = edited?.args ?? toArguments(asked);
  const remembered = readRemembered(remember, { call, toolName, decision, args, meta, stored, by, nowMs });
  return 'ok' in remembered ? remembered : { record, ...target, remembered };
}

type Edited = Extract<ParsedArguments, { ok: true }>;

interface Circumstances {
  readonly meta: SessionMeta;
  readonly agent: string;
  readonly stored: readonly StoredRule[];
  readonly nowMs: number;
}

/** The arguments of an edit: valid for the tool, and not denied. */
function judgeEdited(toolName: string, modified: JsonText, { meta, agent, stored, nowMs }: Circumstances): Edited | Refusal {
  const isPlan = toolName === PLAN_TOOL.name;
  const tool = isPlan ? PLAN_TOOL : findWireTool(toolName);
  const parsed = parseArguments(tool ?? readForeignTool(meta.executorTools, toolName), modified.text);
  if (!parsed.ok) return refuse(parsed.code, parsed.message);
  const rules = toPolicyRules(stored, workspaceIdOf(meta));
  const policy = decidePolicy(tool, toolName, parsed.args, {
    ...{ agent, rules, nowMs, row: isPlan ? PLAN_POLICY : undefined },
    ...judgedAs(meta),
  });
  return policy.kind === 'deny' ? refuse('DENIED_BY_POLICY', policy.reason) : parsed;
}

const toArguments = (args: JsonText): JsonObject => {
  const value = args.parse();
  return isJsonObject(value) ? value : {};
};

/** Keeps the rule of a decision that stands. What fails now costs another question, and is no failure of the decision. */
async function keep({ rules, store, children, logger }: HandlerPorts, { holder, rule, session }: RuleToKeep): Promise<void> {
  try {
    const kept = await rules.keep(holder, rule);
    if (kept.kind === 'refused') return logger.warn({ event: 'rule.not_kept', code: kept.code });
    const [running = []] = await children.of([session]);
    await Promise.all([session, ...running].map((each) => store.reviewQuestions(each)));
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    logger.warn({ event: 'rule.not_kept', code: 'UNAVAILABLE' });
  }
}

function toStored(frame: Decision, record: DecisionRecord, call: CallRecord | undefined) {
  const { outcome, argsSha256, feedback, by, atMs } = record;
  const decidedOn = call === undefined ? NO_DIGEST : (frame.args_sha256 ?? call.argsSha256);
  const logged = encodeServerFrame({
    type: 'approval_resolved',
    call_id: frame.call_id,
    outcome,
    args_sha256: argsSha256,
    args: frame.modified_args,
    feedback,
    by,
    at_ms: atMs,
  });
  return { callId: frame.call_id, decidedOn, ...(frame.question === undefined ? {} : { question: frame.question }), record, frame: logged };
}

/**
 * The definition of a tool that only the executor has, as far as it is needed to judge edited arguments. Any object fits a tool that the
 * executor doesn't declare any more.
 * @param executorTools JSON text of the executor's `hello.tools`, or ''
 */
function readForeignTool(executorTools: string, name: string): ToolDefinition {
  const declared = executorTools === '' ? [] : (JSON.parse(executorTools) as readonly (string | ForeignTool)[]);
  const found = declared.find((tool): tool is ForeignTool => typeof tool !== 'string' && tool.name === name);
  return {
    name,
    since: '1.0',
    group: 'process',
    access: 'write',
    idempotency: 'unsafe',
    description: found?.description ?? '',
    parameters: found?.input_schema ?? { type: 'object' },
    deadlineMs: DEFAULT_DEADLINE_MS,
  };
}

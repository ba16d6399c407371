import { hash } from 'node:crypto';
import {
  argsDigest,
  auditTarget,
  basePolicyOf,
  decidePolicy,
  isCanonicalTool,
  PLAN_POLICY,
  PLAN_TOOL,
  SEED_EXECUTOR,
} from '@codelab/tools';
import type { JsonObject, PolicyDecision, PolicyMode, PolicyRow, ToolDefinition } from '@codelab/tools';
import type { Row } from '@codelab/vocabularies';
import { findAgent } from '../model/agent-modes.js';
import { TASK_POLICY, TASK_TOOL } from '../tasks/task-tool.js';
import type { SessionFacts } from '../session/session-facts.js';
import type { StepBuilder } from '../turn/step-builder.js';

/** A call as it was judged, and what it was judged on. */
export interface Judged<Decision = PolicyDecision> {
  readonly decision: Decision;
  /** Of the arguments. */
  readonly digest: string;
  /** What it acts on, for the audit trail. */
  readonly target: string;
  /** It is asked about because the model repeats itself: no rule spares that. */
  readonly loop?: true;
}

/** What is judged: arguments, and where a row of a vocabulary makes the call, the row. */
interface Asked {
  readonly args: JsonObject;
  readonly row?: Row;
  /** By what a use of the row that repeats itself is found; absent for all but its first call. */
  readonly signature?: string;
}

const OUTCOMES = { allow: 'allowed', ask: 'asked', deny: 'denied' } as const;

/**
 * Judges a call by the policy, and has a human look where the model repeats itself; leaves a row in the audit trail. A human who is in
 * the call anyway is not asked about it.
 */
export function judgeCall(builder: StepBuilder, callId: string, tool: ToolDefinition, { args, row, signature: ofUse }: Asked): Judged {
  const { name: toolName } = tool;
  const digest = argsDigest(args);
  const target = auditTarget(toolName, args);
  const byPolicy = asRowAsks(row, judgeByPolicy(builder, tool, args), builder.context.facts.mode);
  const signature = signatureOf(toolName, row === undefined ? digest : ofUse);
  const isOver = byPolicy.kind === 'deny' || tool.group === 'user' || signature === undefined;
  const decision = isOver ? byPolicy : breakLoop(builder, byPolicy, signature);
  const loop = decision === byPolicy ? undefined : true;
  const ruleId = decision.kind === 'ask' ? undefined : decision.ruleId;
  const reason = auditReason(builder.context.facts, tool, args, decision);
  builder.record({ callId, toolName, argsSha256: digest }, { outcome: OUTCOMES[decision.kind], by: 'policy', target, reason, ruleId });
  return { decision, digest, target, loop };
}

/** What the policy says of a call, by the rules and the facts of this step. */
export const judgeByPolicy = (
  { context: { facts }, runningTurn, rules, nowMs }: StepBuilder,
  tool: ToolDefinition,
  args: JsonObject,
): PolicyDecision => {
  const agent = findAgent(facts, runningTurn.agent);
  const within = [...(facts.task?.within ?? []), ...(runningTurn.handedBy ?? [])].map((name) => findAgent(facts, name));
  return decidePolicy(tool, tool.name, args, {
    mode: facts.mode,
    agent: agent.name,
    within: within.map(({ name }) => name),
    asks: [agent, ...within].some(({ own }) => own?.policy === 'ask'),
    plans: facts.plans,
    row: rowOf(facts, tool),
    rules,
    nowMs,
    checksFiles: facts.checksFiles,
    isSeed: facts.executor === SEED_EXECUTOR,
    origin: facts.program && 'proxy',
  });
};

/** How the tools that the servers run are judged. */
const rowOf = ({ serverTools }: Pick<SessionFacts, 'serverTools'>, tool: ToolDefinition): PolicyRow | undefined => {
  if (tool === TASK_TOOL) return TASK_POLICY;
  return tool === PLAN_TOOL ? PLAN_POLICY : serverTools.find(({ definition }) => definition === tool)?.policy;
};

/** A row that asks though it only reads, such as one that shows what the user has open: a human is asked where no rule allows it. */
const asRowAsks = (row: Row | undefined, decision: PolicyDecision, mode: PolicyMode): PolicyDecision => {
  if (row?.policy === 'allow' || row?.readonly !== true || mode === 'permissive') return decision;
  if (decision.kind !== 'allow' || decision.ruleId !== undefined) return decision;
  return { kind: 'ask', reason: row.displayName, risk: 'low' };
};

/** What tells a call apart from others of its turn. */
const signatureOf = (toolName: string, text: string | undefined): string | undefined =>
  text && `${toolName} ${/^[0-9a-f]{64}$/.test(text) ? text.slice(0, SIGNATURE_DIGITS) : hash('sha256', text).slice(0, SIGNATURE_DIGITS)}`;

const breakLoop = (builder: StepBuilder, decision: Exclude<PolicyDecision, { kind: 'deny' }>, signature: string): PolicyDecision => {
  const { recent } = builder.runningTurn;
  const loop = detectLoop(recent, signature);
  builder.change({ recent: rememberSignature(recent, signature, loop !== undefined) });
  if (loop === undefined) return decision;
  if (decision.kind === 'ask') return { ...decision, reason: `${loop}; ${decision.reason}` };
  return { kind: 'ask', reason: loop, risk: 'medium' };
};

/** Calls of a turn that are remembered to find loops: the fourth ends one. */
const REMEMBERED_CALLS = 3;
/** Hex digits of a digest that tell calls of a turn apart; all are stored with each commit. */
const SIGNATURE_DIGITS = 16;

/**
 * Whether a call would repeat what was done: the same one three times in a row, or two in turn twice over (A-B-A-B).
 * @param recent signatures of the calls before it, the latest last
 * @returns what a human should know, or nothing
 */
export function detectLoop(recent: readonly string[], signature: string): string | undefined {
  const [c, b, a] = [recent.at(-1), recent.at(-2), recent.at(-3)];
  if (signature === c && c === b) return 'loop: the same call for the third time in a row';
  if (signature === b && c === a && c !== signature && c !== undefined) return 'loop: the same two calls in turn, for the second time';
  return undefined;
}

/** The signatures to remember. A loop that a human was asked about begins anew. */
export const rememberSignature = (recent: readonly string[], signature: string, asked: boolean): readonly string[] =>
  asked ? [signature] : [...recent, signature].slice(-REMEMBERED_CALLS);

/** Why a call was judged so, in words that hold nothing of its arguments: what the policy says to people names paths and commands. */
const auditReason = (facts: SessionFacts, tool: ToolDefinition, args: JsonObject, decision: PolicyDecision): string => {
  const { name: toolName } = tool;
  const does = isCanonicalTool(toolName)
    ? basePolicyOf(toolName, args).does
    : (rowOf(facts, tool)?.does ?? 'runs a tool of another program');
  if (decision.kind === 'ask') return `${does}; risk ${decision.risk}`;
  if (decision.kind === 'deny') return `${does}; ${decision.ruleId === undefined ? 'the policy refuses it' : 'a rule forbids it'}`;
  return decision.ruleId === undefined ? does : `${does}; a rule allows it`;
};

import { sessionRef, toPolicyRules, type NewRule, type RuleHolder, type SessionMeta, type SessionRef, type StoredRule } from '@codelab/bus';
import { refuse, type ClientFrameOf, type Operand, type Refusal, type Rule, type CallRecord } from '@codelab/protocol';
import {
  decidePolicy,
  findTool,
  judgedMode,
  parseRule,
  SEED_EXECUTOR,
  toPolicyRule,
  type JsonObject,
  type PolicyDecision,
  type PolicyRule,
  type PolicySession,
} from '@codelab/tools';
import { faultOfRule, FULL, isFull, toNewRule } from './check-rule.js';

type Remember = NonNullable<ClientFrameOf<'hitl_decision'>['remember']>;
type Decision = ClientFrameOf<'hitl_decision'>['decision'];

/** A rule that is to be kept once the decision stands. */
export interface RuleToKeep {
  readonly holder: RuleHolder;
  readonly rule: NewRule;
  /** The session whose calls, and whose children's, may wait for what the rule settles. */
  readonly session: SessionRef;
}

/** The decision that a rule is made of. */
export interface DecidedCall {
  readonly call: CallRecord;
  readonly toolName: string;
  readonly decision: Decision;
  /** The arguments that run, if any do. */
  readonly args: JsonObject;
  readonly meta: SessionMeta;
  /** The rules that there are. */
  readonly stored: readonly StoredRule[];
  readonly by: string;
  readonly nowMs: number;
}

/**
 * Reads the rule that a human makes of a decision, or says why there can be none: then nothing is decided either (H1). A rule that allows
 * must be about the call that the human has before them, and spare its question; files that it is bound to are those of the preview (H2).
 */
export function readRemembered({ scope, rule: value }: Remember, decided: DecidedCall): RuleToKeep | Refusal {
  const { decision, meta, stored, by, nowMs, call, toolName } = decided;
  const no = (why: string): Refusal => refuse('INVALID_FIELD', `hitl_decision.remember: ${why}`, call.callId);
  const parsed = parseRule(value, decision === 'reject' ? 'deny' : 'allow');
  if (!parsed.ok) return no(parsed.message);
  const { effect } = parsed.rule;
  if ((effect === 'allow' && decision === 'reject') || (effect === 'deny' && decision !== 'reject')) {
    return no(`a rule with the effect ${effect} does not go with ${decision}: allow goes with approve and edit, deny with reject`);
  }
  const bound = bindFiles(parsed.rule, operandsOf(call));
  if (typeof bound === 'string') return no(bound);
  const fault = faultOfRule(bound, nowMs) ?? (effect === 'allow' ? findMissedQuestion(bound, scope, decided) : undefined);
  if (fault !== undefined) return no(fault);
  const holder = toHolder(scope, meta);
  if (holder === undefined) return no('the client that runs the tools has named no workspace, so no rule can be bound to one');
  if (isFull(stored, holder, bound)) return no(FULL);
  const session = rulesSession(meta);
  const { sessionId } = session;
  return { holder, session, rule: { ...toNewRule(bound, by), decided: { sessionId, callId: call.callId, toolName } } };
}

/** The session whose rules calls are judged by: of what a program began the one that it uses. */
export const rulesSession = ({ ref, child }: Pick<SessionMeta, 'ref' | 'child'>): SessionRef =>
  child === undefined ? ref : sessionRef(ref.owner, child.parent);

/** The agent that a call is judged by: that of its turn, which a message may have named, not that of the session. */
export const agentOf = ({ agent }: Pick<CallRecord, 'agent'>, meta: Pick<SessionMeta, 'agent'>): string =>
  agent === '' ? meta.agent : agent;

/** How the calls of a session are judged; those of a child for a program, or for the agents that it works for. */
export const judgedAs = ({
  child,
  mode,
}: Pick<SessionMeta, 'child' | 'mode'>): Pick<PolicySession, 'mode' | 'plans' | 'origin' | 'within'> => {
  const judged = judgedMode(mode);
  if (child === undefined) return judged;
  return child.origin === 'proxy' ? { ...judged, origin: 'proxy' } : { ...judged, within: child.within };
};

/** What a rule of a scope is bound to in a session; `undefined`: its executor has no workspace. */
function toHolder(scope: Remember['scope'], meta: SessionMeta): RuleHolder | undefined {
  const ref = rulesSession(meta);
  if (scope === 'session') return { scope, session: ref };
  if (scope === 'user') return { scope, owner: ref.owner };
  const workspaceId = workspaceIdOf(meta);
  return workspaceId === '' ? undefined : { scope, owner: ref.owner, workspaceId };
}

/** `workspace.id` of the session's executor; '' for none. Its name is for people only. */
export const workspaceIdOf = ({ workspace }: Pick<SessionMeta, 'workspace'>): string =>
  workspace === '' ? '' : ((JSON.parse(workspace) as { readonly id?: string }).id ?? '');

const operandsOf = ({ preview }: CallRecord): readonly Operand[] =>
  preview === '' ? [] : ((JSON.parse(preview) as { readonly operands?: readonly Operand[] }).operands ?? []);

/** The rule with the digests that its files had when the human was shown them, or why it can't have them. */
function bindFiles(rule: Rule, operands: readonly Operand[]): Rule | string {
  if (rule.files === undefined) return rule;
  const files: { path: string; sha256: string }[] = [];
  for (const { path, sha256 } of rule.files) {
    const shown = operands.find((operand) => operand.path === path)?.sha256 ?? '';
    if (shown === '') return `files: the preview of this call shows no content of ${path}, so no rule can be bound to it`;
    if (sha256 !== undefined && sha256 !== shown) return `files: ${path} has another sha256 than the preview of this call shows`;
    files.push({ path, sha256: shown });
  }
  return { ...rule, files };
}

/** Why a rule that allows would not have spared this question. */
function findMissedQuestion(
  rule: Rule,
  scope: Remember['scope'],
  { call, toolName, args, meta, stored, nowMs }: DecidedCall,
): string | undefined {
  const candidate = toPolicyRule(rule, { ruleId: CANDIDATE, scope });
  const others = toPolicyRules(stored, workspaceIdOf(meta)).filter(({ effect }) => effect === 'allow');
  const judge = (rules: readonly PolicyRule[], mode = judgedMode(meta.mode).mode): PolicyDecision =>
    decidePolicy(findTool(toolName), toolName, args, {
      ...judgedAs(meta),
      ...{ mode, agent: agentOf(call, meta), rules, nowMs, checksFiles: true, isSeed: meta.executor === SEED_EXECUTOR },
    });
  const alone = judge([candidate]);
  if (isByCandidate(alone)) return undefined;
  if (meta.child?.origin === 'proxy' && rule.proxy !== true) return NOT_FOR_PROGRAMS;
  if (rule.tool !== '*' && rule.tool !== toolName)
    return `the rule is about ${rule.tool}, and the call that was decided is one of ${toolName}`;
  // A line of several commands takes a rule for each of them.
  if (judge(others).kind !== 'allow' && judge([...others, candidate]).kind === 'allow') return undefined;
  if (alone.kind === 'allow') return isByCandidate(judge([candidate], 'strict')) ? undefined : NOT_ABOUT;
  return meta.mode === 'strict' && isByCandidate(judge([candidate], 'medium'))
    ? 'in the mode strict this call is asked about whatever rules there are'
    : `${NOT_ABOUT}, or no rule can spare its question (${alone.reason})`;
}

const CANDIDATE = 'candidate';
const isByCandidate = (decision: PolicyDecision): boolean => decision.kind === 'allow' && decision.ruleId === CANDIDATE;
const NOT_FOR_PROGRAMS = 'a program asked for this call through llm-proxy: a rule that is to spare its question says `proxy: true`';
const NOT_ABOUT = 'the rule is not about the call that was decided';

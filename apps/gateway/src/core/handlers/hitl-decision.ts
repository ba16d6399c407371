import type { CallRecord, DecisionRecord, SessionRef, SessionStore } from '@codelab/bus';
import { refuse, type ClientFrameOf, type ErrorCode, type JsonText, type Refusal } from '@codelab/protocol';
import { argsDigest, decidePolicy, findTool, parseArguments, type PolicyMode } from '@codelab/tools';
import { signatureOf } from '../auth/identity.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../clock.js';
import { encodeServerFrame } from '../session/encode-server-frame.js';
import { readCallFrame } from '../session/present-call.js';
import { answerLogged, type Handler } from './handler.js';
import { readForeignTool } from './foreign-tool.js';

type Decision = ClientFrameOf<'hitl_decision'>;

const WHY: Partial<Record<ErrorCode, string>> = {
  UNKNOWN_CALL: 'no call of this session has this call_id',
  ALREADY_RESOLVED: 'the call was decided, answered or ended before: nothing changed',
  EXPIRED: 'the time for this decision is over',
  DIGEST_MISMATCH: 'the decision names other arguments than those of the call: look at the call again; nothing was decided',
  OVERLOADED: 'the session has too much to consume: nothing was decided, send the decision again',
};

/** A digest that no call has: the store then tells what became of the call, and decides nothing. */
const NO_DIGEST = '-';

/**
 * Decides one call (H1, H3), bound to its arguments (H2). Edited arguments are validated and judged again: what a policy denies stays
 * denied, whoever approves. The answer is the `approval_resolved` that the script logged.
 */
export const handleHitlDecision =
  (store: SessionStore, clock: Clock): Handler<'hitl_decision'> =>
  async (frame, caller) => {
    const { call_id: callId } = frame;
    if (!caller.identity.scopes.includes('approve')) return refuse('FORBIDDEN', 'this token lacks the scope approve', callId);
    if (frame.remember !== undefined) {
      return refuse('INVALID_FIELD', 'hitl_decision.remember: this release keeps no rules; decide without it', callId);
    }
    const call = (await store.readCalls(caller.session.sid)).find((record) => record.callId === callId);
    const record = call === undefined ? GONE : await judge(store, frame, call, caller);
    if ('ok' in record) return record;
    const decided = await store.decideCall(caller.session, toStored(frame, { ...record, atMs: clock.now() }, call));
    return decided.kind === 'decided' ? answerLogged(decided.frame) : refuse(decided.code, WHY[decided.code] ?? decided.code, callId);
  };

type Judged = Omit<DecisionRecord, 'atMs'>;

const GONE: Judged = { outcome: 'rejected', argsSha256: '', by: '' };

async function judge(store: SessionStore, frame: Decision, call: CallRecord, caller: Caller): Promise<Judged | Refusal> {
  const { decision, feedback, modified_args: modified } = frame;
  const signed = { by: frame.no_human === true ? 'policy' : signatureOf(caller.identity), ...(feedback === undefined ? {} : { feedback }) };
  if (decision !== 'edit') return { outcome: decision === 'approve' ? 'approved' : 'rejected', argsSha256: call.argsSha256, ...signed };
  const edited = await judgeEdited(store, call, modified!, caller.session);
  return 'ok' in edited ? edited : { outcome: 'edited', ...edited, ...signed };
}

/** The arguments of an edit: valid for the tool, and not denied. */
async function judgeEdited(store: SessionStore, call: CallRecord, modified: JsonText, session: SessionRef) {
  const { tool_name: toolName } = readCallFrame(call);
  const meta = await store.readMeta(session);
  if (meta === undefined) return refuse('SESSION_NOT_FOUND', 'the session was deleted', call.callId);
  const tool = findTool(toolName);
  const parsed = parseArguments(tool ?? readForeignTool(meta.executorTools, toolName), modified.text);
  if (!parsed.ok) return refuse(parsed.code, parsed.message, call.callId);
  const { args } = parsed;
  const policy = decidePolicy(tool, toolName, args, { mode: meta.mode as PolicyMode, agent: meta.agent });
  if (policy.kind === 'deny') return refuse('DENIED_BY_POLICY', policy.reason, call.callId);
  return { args: parsed.text, argsSha256: argsDigest(args) };
}

function toStored(frame: Decision, record: DecisionRecord, call: CallRecord | undefined) {
  const { outcome, argsSha256, feedback, by, atMs } = record;
  const decidedOn = call === undefined ? NO_DIGEST : (frame.args_sha256 ?? call.argsSha256);
  const logged = encodeServerFrame({
    type: 'approval_resolved',
    call_id: frame.call_id,
    outcome,
    args_sha256: argsSha256,
    ...(frame.modified_args === undefined ? {} : { args: frame.modified_args }),
    ...(feedback === undefined ? {} : { feedback }),
    by,
    at_ms: atMs,
  });
  return { callId: frame.call_id, decidedOn, record, frame: logged };
}

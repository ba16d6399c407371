import { type CallChange, summariseMessage } from '@codelab/protocol';
import type { QueuedMessage, SessionCommits, StepEffects } from '../../session-store.js';
import type { SessionRef, Sid } from '../../session-ref.js';
import { auditFields } from '../rules/audit-rows.js';
import { fieldItems, namedArguments, type Item } from './named-arguments.js';
import { blobNameOf } from '../blobs/blob-name.js';
import type { StoredPrompt } from '../../model-queue.js';
import type { SessionScripts } from './session-scripts.js';

/** What stands in the place of a text in the store. */
type InStore = (text: string) => string;

const changeItem = (change: CallChange, inStore: InStore): Item => {
  switch (change.kind) {
    case 'open': {
      const { call } = change;
      const head = { call_id: call.callId, tool_name: call.toolName, idempotency: call.idempotency, deadline_ms: call.deadlineMs };
      const question = {
        args_sha256: call.argsSha256,
        expires_at: call.expiresAtMs,
        fence: call.fence,
        state: call.state,
        frame: inStore(call.frame),
      };
      return ['open', { ...head, ...question, given_to: call.givenTo, target: call.target, agent: call.agent }];
    }
    case 'ask_again': {
      const { callId, argsSha256, question, expiresAtMs, frame } = change;
      return ['ask_again', { call_id: callId, args_sha256: argsSha256, question, expires_at: expiresAtMs, frame: inStore(frame) }];
    }
    case 'approve':
      return ['approve', { call_id: change.callId, decision: JSON.stringify(change.decision) }];
    case 'reassign':
      return ['reassign', { call_id: change.callId, fence: change.fence }];
    case 'close':
      return ['close', { call_id: change.callId, synthetic: change.synthetic ? '1' : undefined }];
  }
};

/** A message as the queue keeps it: with what `queue_updated` shows of it. */
const queueItem = ({ messageId, turnId, frame }: QueuedMessage): Item => {
  const { content } = JSON.parse(frame) as { readonly content?: unknown };
  return [
    JSON.stringify(messageId),
    { turn_id: turnId, summary: summariseMessage(messageId, typeof content === 'string' ? content : ''), frame },
  ];
};

type Lease = Parameters<SessionCommits['commit']>[1];

/** The texts of a step that may have long strings. */
const textsOf = ({ frames, history, calls }: StepEffects): readonly string[] => [
  ...history,
  ...frames.map(({ text }) => text),
  ...calls.flatMap((change) => (change.kind === 'open' ? [change.call.frame] : change.kind === 'ask_again' ? [change.frame] : [])),
];

const commitArguments = ({ leaseFence, cancelSeen, seen, judgedBy }: Lease, step: StepEffects, inStore: InStore): (string | number)[] => {
  const { modelRequest: asked, endTurn } = step;
  const userMessages = step.history.length === 0 ? undefined : (step.userMessages ?? 0);
  const fields = {
    ...{
      lease_fence: leaseFence,
      seq_seen: seen?.seq,
      inbox_seen: seen?.inbox,
      cancel_seen: cancelSeen,
      inbox_up_to: step.inboxUpTo,
      state: step.state,
      todos: step.todos,
    },
    user_messages: userMessages,
    ...{ facts: judgedBy?.facts, rules: judgedBy?.rules?.version, step_id: asked?.stepId, request: asked?.request, ends: endTurn?.turnId },
  };
  return namedArguments(fields, {
    frames: step.frames.map(({ head, text }) => [inStore(text), { head: JSON.stringify(head) }]),
    history: step.history.map((item) => [inStore(item)]),
    calls: step.calls.map((change) => changeItem(change, inStore)),
    taken: step.taken?.map((messageId) => [JSON.stringify(messageId)]) ?? [],
    left_over: endTurn?.leftOver?.map(queueItem) ?? [],
    meta: fieldItems(step.meta ?? {}),
    audit: step.audit?.map((row) => [row.outcome, auditFields(row)]) ?? [],
  });
};

/** Sessions of which it is known what prompt is stored. */
const KNOWN_PROMPTS = 2_000;
/** How long that is believed, in milliseconds: the node of a cluster that has the prompt may lose it, and the session's own node knows nothing of that. */
const BELIEF_MS = 1_000;

/**
 * One step of a turn in one script. A model request is announced in the same round trip, after the commit: where the commit is refused, the
 * announcement names a step that is not there, and nobody claims it; where it is lost, the runtime announces it again. The prompt goes before
 * the commit, unless this holder of the lease has stored it a moment before: nobody else could replace it.
 */
export function sessionCommit(scripts: SessionScripts): SessionCommits {
  const { commands, keys, blobs, strings } = scripts;
  const stored = new Map<Sid, { readonly name: string; readonly at: number }>();
  /** The rules that a commit compares. Where it compares none the places are taken by those of the session, which are in its slot. */
  const rulesOf = (judged: SessionRef | undefined, sid: Sid): readonly [string, string] => {
    const own = keys.session(judged?.sid ?? sid).rules;
    return [own, judged === undefined ? own : keys.rulesOf(judged.owner)];
  };
  /** What a new prompt leaves to do: it is brought along where Redis had lost it, and the one before is used no more. */
  const keepPrompt = async (sid: Sid, { hash, text }: StoredPrompt, [isThere, kept]: readonly unknown[]): Promise<void> => {
    const name = blobNameOf(hash);
    if (isThere === 0) await commands.run('keep-blob', [blobs.keeping(sid, name, text)]);
    blobs.remember(name, text);
    const [code, before] = kept as [number, string?];
    if (code === 0) await blobs.release(sid, [name]); // fenced: another's prompt stays
    else if (before !== undefined && before !== '' && before !== hash) await blobs.release(sid, [blobNameOf(before)]);
  };
  return {
    commit: async ({ sid }, lease, step) => {
      const { stepId, prompt } = step.modelRequest ?? {};
      const session = keys.session(sid);
      const { leaseFence, judgedBy } = lease;
      const name = prompt && `${String(leaseFence)} ${prompt.hash}`;
      const known = stored.get(sid);
      const isNew = name !== undefined && (known?.name !== name || performance.now() - known.at > BELIEF_MS);
      const kept = await strings.keep(sid, textsOf(step));
      const more = [session.step(stepId ?? 'none'), ...rulesOf(judgedBy?.rules?.session, sid)];
      const replies = await commands.run('commit', [
        ...(prompt !== undefined && isNew
          ? [
              blobs.keepingKnown(sid, blobNameOf(prompt.hash), prompt.text),
              ['keepPrompt', session.meta, session.messages, leaseFence, prompt.hash, Buffer.byteLength(prompt.text)] as const,
            ]
          : []),
        scripts.command(
          'commitStep',
          sid,
          commitArguments(lease, step, (text) => kept.get(text) ?? text),
          ...more,
        ),
        ...(stepId === undefined ? [] : [['xadd', keys.models(sid), '*', 'sid', sid, 'step', stepId] as const]),
      ]);
      if (isNew && prompt !== undefined) {
        await keepPrompt(sid, prompt, replies);
        if (stored.size >= KNOWN_PROMPTS) stored.clear();
        stored.set(sid, { name, at: performance.now() });
      }
      const [code, seq, turnId, epoch] = replies[isNew ? 2 : 0] as [number, number, string, string];
      if (code === -1 && epoch) {
        const entry = Math.max(step.inboxUpTo, lease.seen?.inbox ?? 0);
        await commands.tellLost(sid, { epoch, seq: lease.seen?.seq ?? 0 }, { epoch, entry });
      }
      if (code === -1) return 'fenced';
      if (code === -2) return 'cancelled';
      if (code === -3) return 'outdated';
      commands.noteFrame(sid, { epoch, seq });
      return { seq, ...(step.endTurn === undefined ? {} : { turnId }) };
    },
  };
}

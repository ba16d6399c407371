import { editedMark, marksIn, originalOf } from '../../workload/script/marks.js';
import type { Story } from '../story.js';
import type { Promised } from '../violation.js';

interface Block {
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: object;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}

export const modelIsTold: Promised = {
  name: 'model-is-told',
  says: 'The model reads of a call what became of it: that it was rejected, or with which other arguments it ran (H2, H3).',
  *judge(story) {
    const outcomes = outcomesOf(story);
    for (const { body, at, index, session } of story.of('model-request')) {
      for (const { mark, told } of resultsIn((body as { readonly messages?: readonly Message[] }).messages ?? [])) {
        const { outcome, since = Infinity } = outcomes.get(mark) ?? {};
        if (index < since) continue; // of a use in a life that the store lost before anybody had heard of it
        if (outcome === 'rejected' && !/reject/i.test(told))
          yield { text: `${session ?? '?'}: the model is told of ${mark}, which was rejected: ${told.slice(0, 120)}`, at, events: [index] };
        if (outcome === 'edited' && !told.includes(editedMark(mark)))
          yield { text: `${session ?? '?'}: the model is not told how ${mark} was edited: ${told.slice(0, 120)}`, at, events: [index] };
      }
    }
  },
};

interface Outcome {
  readonly outcome: string;
  /** When the call was first heard of; of what a store may have lost, when the outcome was: before that another may have held. */
  readonly since: number;
}

/** What became of the one question about each mark; of edited calls only those that a client did. */
function outcomesOf(story: Story): ReadonlyMap<string, Outcome> {
  const callsOf = new Map<string, Map<string, number>>();
  for (const { frame, index } of story.told.filter(({ type }) => type === 'tool_call'))
    for (const mark of marksIn(frame['args'])) {
      const calls = callsOf.get(originalOf(mark)) ?? new Map<string, number>();
      const id = String(frame['call_id']);
      callsOf.set(originalOf(mark), calls.set(id, calls.get(id) ?? index));
    }
  // Of a log that began anew only what stands in its last life: the answers before may be lost. As it was heard of first.
  const resolved = new Map(
    story.told
      .toReversed()
      .flatMap(({ type, frame, session, epoch, index }) =>
        type === 'approval_resolved' && (!story.mayDoubtStore || epoch === story.lastEpoch(session))
          ? [[String(frame['call_id']), { outcome: frame['outcome'], index }]]
          : [],
      ),
  );
  const done = new Set(
    story.told.flatMap(({ type, frame }) => (type === 'tool_status' && frame['status'] === 'done' ? [String(frame['call_id'])] : [])),
  );
  return new Map(
    [...callsOf].flatMap(([mark, calls]) => {
      const [[call, heard] = ['', 0], ...more] = calls;
      const resolution = resolved.get(call);
      const outcome = String(resolution?.outcome);
      const since = story.mayDoubtStore ? (resolution?.index ?? heard) : heard;
      const isJudged = more.length === 0 && (outcome === 'rejected' || (outcome === 'edited' && done.has(call)));
      return isJudged ? [[mark, { outcome, since }] as const] : [];
    }),
  );
}

/** In its words stand the marks of what another agent is to do. */
const TASK = 'task';

/** The result of each use of a tool with a mark, in either dialect. */
function resultsIn(messages: readonly Message[]): readonly { readonly mark: string; readonly told: string }[] {
  const marks = new Map<string, readonly string[]>();
  const results: { readonly id: string; readonly told: string }[] = [];
  for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
    for (const call of calls ?? []) if (call.function.name !== TASK) marks.set(call.id, marksIn(call.function.arguments));
    if (role === 'tool' && id !== undefined) results.push({ id, told: JSON.stringify(content) });
    for (const block of Array.isArray(content) ? (content as readonly Block[]) : []) {
      if (block.type === 'tool_use' && block.id !== undefined && block.name !== TASK) marks.set(block.id, marksIn(block.input));
      if (block.type === 'tool_result' && block.tool_use_id !== undefined)
        results.push({ id: block.tool_use_id, told: JSON.stringify(block.content) });
    }
  }
  return results.flatMap(({ id, told }) => (marks.get(id) ?? []).map((mark) => ({ mark, told })));
}

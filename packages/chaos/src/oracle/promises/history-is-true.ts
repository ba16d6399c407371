import { marksIn, originalOf } from '../../workload/script/marks.js';
import { groupBy } from '../grouping.js';
import type { Story } from '../story.js';
import type { Finding, Promised } from '../violation.js';

interface Item {
  readonly role: string;
  readonly call_id?: string;
  readonly tool_name?: string;
  readonly content?: string;
  readonly is_error?: boolean;
  readonly tool_calls?: readonly { readonly call_id: string; readonly tool_name: string; readonly arguments: string }[];
}

/** Words that say for certain that nothing was done. */
const NOTHING_DONE = /\[(DENIED_BY_USER|DENIED_BY_POLICY|APPROVAL_TIMED_OUT)\]/;
/** What the servers put in the place of a result that did not come; one that comes late follows it. */
const PUT_BY_SERVERS = /\[(OUTCOME_UNKNOWN|CANCELLED|CLIENT_DISCONNECTED)\]/;
/** Tools of the workload that change something, and whose effect is looked for on the disk. */
const CHANGES = new Set(['write_file', 'run_command']);

export const historyIsTrue: Promised = {
  name: 'history-is-true',
  says: 'The history that is kept has one result for each use of a tool, its own, and what it calls done is on the disk (R2, R5).',
  *judge(story) {
    if (story.settledAt === Infinity) return;
    const inventing = new Set(story.of('observer').flatMap(({ role, session }) => (role === 'raw' ? [session] : []))); // it has no disk
    for (const [path, items] of historiesOf(story)) {
      if (inventing.has(sessionIn(path))) continue;
      const results = groupBy(
        items.filter(({ role }) => role === 'tool'),
        ({ call_id: id = '' }) => id,
      );
      for (const use of items.flatMap(({ tool_calls: calls = [] }) => calls)) {
        const own = results.get(use.call_id) ?? [];
        const isPut = own.slice(0, -1).every(({ content = '' }) => PUT_BY_SERVERS.test(content));
        if (own.length === 0 || !isPut)
          yield { text: `${path} has ${String(own.length)} results of ${use.call_id} (${use.tool_name})`, at: story.settledAt, events: [] };
        const last = own.at(-1);
        if (last !== undefined) yield* untrue(story, path, marksIn(use.arguments), last);
      }
    }
  },
};

const sessionIn = (path: string): string => /sessions\/([^/]+)\/history/.exec(path)?.[1] ?? '';

/** The parts of each history that were read at the end, put together. */
function historiesOf(story: Story): ReadonlyMap<string, readonly Item[]> {
  const histories = new Map<string, Item[]>();
  for (const { path, status, answer, at } of story.of('rest')) {
    const [, name] = /^(.*\/history)(?:\?|$)/.exec(path) ?? [];
    if (name === undefined || status !== 200 || at < story.settledAt) continue;
    histories.set(name, [...(histories.get(name) ?? []), ...(answer as { readonly items: readonly Item[] }).items]);
  }
  return histories;
}

function* untrue(
  story: Story,
  path: string,
  marks: readonly string[],
  { tool_name: tool = '', content = '', is_error: isError }: Item,
): Generator<Finding> {
  const [mark] = marks.map(originalOf);
  if (mark === undefined || !CHANGES.has(tool)) return;
  const told = new Set(marksIn(content).map(originalOf));
  if (tool === 'run_command' && told.size > 0 && !told.has(mark))
    yield { text: `${path}: the result of ${mark} is that of ${[...told].join(', ')}`, at: story.settledAt, events: [] };
  const effect = story.of('effect').find((one) => one.session === sessionIn(path) && originalOf(one.mark) === mark);
  const isDone = isError === false && (tool === 'write_file' || content.includes(`did ${mark}`));
  if (isDone && effect === undefined)
    yield { text: `${path} calls ${mark} done, and it is not on the disk`, at: story.settledAt, events: [] };
  if (NOTHING_DONE.test(content) && effect !== undefined && !story.mayDoubtStore)
    yield { text: `${path} says of ${mark}: ${content.slice(0, 60)}, and it is on the disk`, at: story.settledAt, events: [effect.index] };
}

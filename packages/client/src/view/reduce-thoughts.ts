import type { ServerFrameOf } from '@codelab/protocol';
import type { SessionView, ThoughtItem } from './session-view.js';
import { appendItem, updateItem } from './update-items.js';

/** Of a thought the end is kept: nobody reads more of it. */
const MAX_CHARACTERS = 50_000;

/** The model thinks on, or begins to. What follows ends the thought: see `finishMessages`. */
export function onThought(view: SessionView, { turn_id: turnId, token }: ServerFrameOf<'agent_thought'>, atMs: number): SessionView {
  if (view.turn?.turnId !== turnId) return view;
  const open = view.items.findLast((item): item is ThoughtItem => item.kind === 'thought' && !item.done);
  if (open) {
    const grown: ThoughtItem = { ...open, text: (open.text + token).slice(-MAX_CHARACTERS), endedAtMs: atMs };
    return updateItem(view, `thought:${open.id}`, () => grown);
  }
  const notices = view.notices + 1;
  const fresh: ThoughtItem = { kind: 'thought', id: String(notices), text: token, done: false, startedAtMs: atMs, endedAtMs: atMs };
  return appendItem({ ...view, notices }, fresh);
}

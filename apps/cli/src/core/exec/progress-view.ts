import type { SessionView } from '../session/session-view.js';

/**
 * What `exec` shows on stderr: everything but the prompt, which the user has just given, and the answer, which goes to stdout. A message of
 * the model is progress only when it turned out not to be the answer.
 */
export const progressView = (view: SessionView): SessionView => ({
  ...view,
  items: view.items.filter((item) => {
    if (item.kind === 'assistant') return item.done && !item.final;
    return item.kind !== 'user' && !(item.kind === 'turn_end' && item.status === 'completed');
  }),
});

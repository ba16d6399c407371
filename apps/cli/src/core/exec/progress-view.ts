import type { Item, SessionView } from '@codelab/client/view';

/**
 * What `exec` shows on stderr: everything but the prompt, which the user has just given, the answer, which goes to stdout, and what commands
 * print. A message of the model is progress only when it turned out not to be the answer.
 */
export const progressView = (view: SessionView): SessionView => ({
  ...view,
  items: view.items.flatMap((item): readonly Item[] => {
    if (item.kind === 'assistant') return item.done && !item.final ? [item] : [];
    if (item.kind === 'call') return [item.output ? { ...item, output: undefined } : item];
    return item.kind !== 'user' && !(item.kind === 'turn_end' && item.status === 'completed') ? [item] : [];
  }),
});

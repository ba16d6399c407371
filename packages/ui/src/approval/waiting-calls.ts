import type { CallItem, SessionView } from '@codelab/client/view';

/** The calls of a session that wait for a decision, oldest first. */
export const waitingCalls = ({ items }: SessionView): readonly CallItem[] =>
  items.filter((item): item is CallItem => item.kind === 'call' && item.progress === 'waiting');

import type { ChatState } from './chat-state.js';

/** Whether a command of the user runs. */
export const isShellRunning = ({ view }: ChatState): boolean =>
  view.items.some((item) => item.kind === 'shell' && item.ended === undefined);

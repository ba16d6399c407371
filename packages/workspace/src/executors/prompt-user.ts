import type { Executor } from './executor.js';
import { abortable } from '../abortable.js';
import { ToolFailure } from '../tool-failure.js';

/** Lets the human choose an action (docs/specification/tools.md#prompt_user). Without a human nobody chooses. */
export const promptUser: Executor<'prompt_user'> = {
  async run({ message, actions }, { ask, signal }) {
    if (ask === undefined) throw new ToolFailure('DENIED_BY_POLICY', 'There is no human at this client to answer.');
    const action = await abortable(ask.promptUser(message, [...new Set(actions)], signal), signal);
    if (!actions.includes(action)) throw new ToolFailure('DENIED_BY_USER', 'The user chose none of the actions.');
    return { action };
  },
};

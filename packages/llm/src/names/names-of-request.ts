import { type Fold, Growth } from '../canonical/growth.js';
import type { ModelRequest } from '../canonical/message.js';
import { Memo } from '../memo.js';
import { ToolNames } from './tool-names.js';

/**
 * The names of a request: of what it declares, chooses, or called before. The same object in later requests of a conversation that goes on, as long
 * as no name is added.
 */
export function namesOfRequest({ tools, toolChoice, messages }: ModelRequest, maxLength?: number, growth = new Growth()): ToolNames {
  const called = growth.fold(messages, CALLED).sum;
  const chosen = typeof toolChoice === 'object' ? toolChoice.name : undefined;
  return NAMES.get(called, [tools, chosen, called.size, maxLength], () => {
    const declared = tools.map(({ name }) => name);
    return new ToolNames([...declared, ...(chosen === undefined ? [] : [chosen]), ...called], maxLength);
  });
}

const CALLED: Fold<Set<string>> = {
  key: namesOfRequest,
  begin: () => new Set(),
  add: (called, { parts }) => {
    for (const part of parts) if (part.kind === 'tool_call') called.add(part.name);
  },
};

const NAMES = new Memo<ReadonlySet<string>, ToolNames>();

import { type Fold, Growth } from '../canonical/growth.js';
import type { ModelRequest } from '../canonical/message.js';
import { Memo } from '../memo.js';
import { ToolNames } from './tool-names.js';

/**
 * The names of a request: of what it declares, chooses, or called before. The same object in later requests of a conversation that goes on, as long
 * as no name is added.
 */
export function namesOfRequest({ tools, toolChoice, messages }: ModelRequest, maxLength?: number, growth?: Growth): ToolNames {
  const called = (growth ?? new Growth()).fold(messages, CALLED).sum;
  const chosen = typeof toolChoice === 'object' ? [toolChoice.name] : [];
  const make = (): ToolNames => new ToolNames([...tools.map(({ name }) => name), ...chosen, ...called], maxLength);
  return growth === undefined ? make() : NAMES.get(called, [tools, chosen[0], called.size, maxLength], make);
}

const CALLED: Fold<Set<string>> = {
  key: namesOfRequest,
  begin: () => new Set(),
  add: (called, { parts }) => {
    for (const part of parts) if (part.kind === 'tool_call') called.add(part.name);
  },
};

const NAMES = new Memo<ReadonlySet<string>, ToolNames>();

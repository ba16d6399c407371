import type { Handovers, Owner } from '@codelab/bus';
import type { Message, ToolCallPart } from '@codelab/llm';

const callsOf = ({ role, parts }: Message): readonly ToolCallPart[] =>
  role === 'assistant' ? parts.filter((part): part is ToolCallPart => part.kind === 'tool_call') : [];

/**
 * A conversation that came back with the results of calls that were handed over: in the place of the answer that handed them over stand the
 * rounds that its caller never saw. An answer that nothing is remembered of stays as it came.
 */
export async function spliceRounds(
  messages: readonly Message[],
  owner: Owner,
  handovers: Pick<Handovers, 'find'>,
): Promise<readonly Message[]> {
  const ids = messages.flatMap((message) => callsOf(message).map(({ id }) => id));
  if (ids.length === 0) return messages;
  const remembered = await handovers.find(owner, ids);
  return messages.flatMap((message) => {
    const rounds = callsOf(message).flatMap(({ id }) => remembered.get(id) ?? []);
    return rounds[0] === undefined ? [message] : (JSON.parse(rounds[0]) as readonly Message[]);
  });
}

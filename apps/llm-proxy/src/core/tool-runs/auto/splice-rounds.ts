import type { Handovers, Owner } from '@codelab/bus';
import type { Message, Part, ToolCallPart } from '@codelab/llm';

const callsOf = ({ role, parts }: Message): readonly ToolCallPart[] =>
  role === 'assistant' ? parts.filter((part): part is ToolCallPart => part.kind === 'tool_call') : [];

/**
 * A conversation that came back with the results of calls that were handed over: in the place of the answer that handed them over stand the
 * rounds that its caller never saw, and the calls have the ids that their provider gave them. An answer that nothing is remembered of stays as
 * it came.
 */
export async function spliceRounds(
  messages: readonly Message[],
  owner: Owner,
  handovers: Pick<Handovers, 'find'>,
): Promise<readonly Message[]> {
  const ids = messages.flatMap((message) => callsOf(message).map(({ id }) => id));
  if (ids.length === 0) return messages;
  const remembered = await handovers.find(owner, ids);
  const spliced = messages.flatMap((message) => {
    const rounds = callsOf(message).flatMap(({ id }) => remembered.get(id) ?? []);
    return rounds[0] === undefined ? [message] : (JSON.parse(rounds[0]) as readonly Message[]);
  });
  return withProviderIds(spliced);
}

function withProviderIds(messages: readonly Message[]): readonly Message[] {
  const calls = messages.flatMap(callsOf);
  const ids = new Map(calls.flatMap(({ id, providerId }) => (providerId === undefined ? [] : [[id, providerId] as const])));
  const rename = (part: Part): Part =>
    part.kind === 'tool_call' || part.kind === 'tool_result' ? { ...part, id: ids.get(part.id) ?? part.id } : part;
  return ids.size === 0 ? messages : messages.map(({ role, parts }) => ({ role, parts: parts.map(rename) }));
}

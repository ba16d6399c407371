import { ProtocolError, ProtocolErrorCode, type CreateMessageRequestParams, type CreateMessageResult } from '@modelcontextprotocol/client';

const MAX_MESSAGES = 100;
const MAX_CHARACTERS = 1_000_000;
const MAX_TOKENS = 32_000;

const refuse = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** Puts a server's request to a model, bounded; the context of other servers is never given, whatever it asks for. */
export async function askModel(
  params: CreateMessageRequestParams,
  sample: (request: CreateMessageRequestParams) => Promise<CreateMessageResult>,
): Promise<CreateMessageResult> {
  const { tools, toolChoice, includeContext: _, _meta: __, ...asked } = params;
  if (tools !== undefined || toolChoice !== undefined) throw refuse('This client lets no tools be used in sampling.');
  if (asked.messages.length > MAX_MESSAGES) throw refuse(`At most ${MAX_MESSAGES} messages.`);
  if (JSON.stringify(asked).length > MAX_CHARACTERS) throw refuse('The messages are larger than 1 MB.');
  return sample({ ...asked, maxTokens: Math.min(asked.maxTokens, MAX_TOKENS) });
}

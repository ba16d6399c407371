import type { CodeLabClient } from '@codelab/client';
import { CommandError } from '../../core/command-error.js';
import { faultOfAgent, type FoundMessage } from '../../core/commands/custom-command.js';
import type { Gateway } from '../session/gateway.js';
import { SessionApi } from '../sessions/session-api.js';

/** Hands a conversation over to the agent of a command. Throws `CommandError` where it must not: the session knows best whose it is now. */
export async function followAgent(
  { client, gateway }: { readonly client: CodeLabClient; readonly gateway: Gateway },
  name: string,
  message: FoundMessage & { readonly agent: string },
): Promise<void> {
  const { agent } = (await new SessionApi(gateway).show(client.sessionId)) as { readonly agent?: unknown };
  const fault = faultOfAgent(message, typeof agent === 'string' && agent !== '' ? agent : 'coder');
  if (fault !== undefined) throw new CommandError(`/${name} ${fault}`);
  await client.switchAgent(message.agent);
}

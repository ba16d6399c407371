import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type ApprovalAnswer, CodeLabClient, createLocalPolicy, workspaceExecutor } from '@codelab/client';
import type { ServerFrame } from '@codelab/protocol';
import { openWorkspace } from '@codelab/workspace';
import type { System } from '../start-system.js';
import { FEEDBACK, MISSED, OWN_WORDS } from './story.js';

/** What a human was asked, and said. */
interface Decided {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly decision: ApprovalAnswer['decision'];
}

/** A human with a repository and a client: allows what is asked, but for one change that they don't want, and one that they word themselves. */
export class Teammate {
  readonly decided: Decided[] = [];
  readonly frames: ServerFrame[] = [];
  private readonly waiting = new Map<string, (frame: Extract<ServerFrame, { type: 'turn_ended' }>) => void>();

  private constructor(readonly client: CodeLabClient) {}

  static async join(
    system: System,
    root: string,
    wishes: { readonly session: string; readonly vocabulary: string; readonly model: string },
  ): Promise<Teammate> {
    const dataDir = join(system.dataDir, `client-${wishes.session}`);
    const ask = {
      promptUser: () => Promise.reject(new Error('nobody is asked')),
      reviewPatch: () => Promise.reject(new Error('nobody reviews')),
    };
    const workspace = await openWorkspace({ root, dataDir, ask });
    const client = new CodeLabClient({
      url: system.gateways[0]!.ws,
      token: system.token,
      sessionId: wishes.session,
      clientId: randomUUID(),
      client: { name: 'teammate', version: '0' },
      executor: workspaceExecutor(workspace),
      workspace: { id: wishes.session, name: 'sheaf', root },
      journalDir: join(dataDir, 'journal'),
      vocabulary: wishes.vocabulary,
      model: wishes.model,
      mode: 'plan',
      approve: async ({ toolName, args }) => {
        const answer = decide(args);
        teammate.decided.push({ tool: toolName, args: args, decision: answer.decision });
        return answer;
      },
      localPolicy: createLocalPolicy(),
      onFrame: (frame) => teammate.take(frame),
    });
    const teammate: Teammate = new Teammate(client);
    await client.connect();
    return teammate;
  }

  /** Says something, and waits for the end of the turn. */
  async say(content: string): Promise<Extract<ServerFrame, { type: 'turn_ended' }>> {
    const messageId = randomUUID();
    const ended = new Promise<Extract<ServerFrame, { type: 'turn_ended' }>>((resolve) => this.waiting.set(messageId, resolve));
    await this.client.sendMessage(content, { messageId });
    return ended;
  }

  framesOf<Type extends ServerFrame['type']>(type: Type): readonly Extract<ServerFrame, { type: Type }>[] {
    return this.frames.filter((frame): frame is Extract<ServerFrame, { type: Type }> => frame.type === type);
  }

  private take(frame: ServerFrame): void {
    this.frames.push(frame);
    if (frame.type === 'turn_ended') for (const id of frame.message_ids) this.waiting.get(id)?.(frame);
  }
}

function decide(args: Readonly<Record<string, unknown>>): ApprovalAnswer {
  if (typeof args.plan === 'string' && !args.plan.includes(MISSED.wants)) return { decision: 'reject', feedback: MISSED.asks };
  const text = JSON.stringify(args);
  if (text.includes('test/stream.test.mjs') && args.command === undefined) return { decision: 'reject', feedback: FEEDBACK };
  if (typeof args.content === 'string' && args.content.includes(OWN_WORDS.from))
    return { decision: 'edit', modifiedArgs: { ...args, content: args.content.replace(OWN_WORDS.from, OWN_WORDS.to) } };
  return { decision: 'approve' };
}

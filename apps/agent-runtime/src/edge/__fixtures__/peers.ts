import { followSession } from '@codelab/testkit';
import { newId, sessionRef, type ClaimedStep, type SessionMeta, type SessionRef, type StepAnswer } from '@codelab/bus';
import type { Bus } from '@codelab/bus/redis';
import type { HistoryItem } from '@codelab/llm';
import type { ServerFrame, ServerFrameOf, ServerFrameType } from '@codelab/protocol';

export const USAGE = { inputTokens: 1, outputTokens: 1 };
/** What a client says of itself when it joins. */
interface Joining {
  readonly mode?: string;
  readonly agent?: string;
  readonly vocabulary?: string;
  readonly capabilities?: string;
  readonly tools?: string;
}

const TOOLS = JSON.stringify(['read_file', 'write_file', 'git.diff', 'apply_patch', 'apply_patch_review', 'prompt_user']);

/** A whole answer out of what matters of it. */
export const answerOf = (answer: Partial<StepAnswer>): StepAnswer => ({
  ...{ model: 'fake', text: '', toolCalls: [], finish: 'stop', usage: USAGE },
  ...answer,
});

/** A model that answers by a function of the conversation so far: what a proxy does, without a provider. */
export async function startModel(bus: Bus, think: (history: readonly HistoryItem[], step: ClaimedStep) => Promise<StepAnswer | undefined>) {
  return bus.models.consume(
    async (step) => {
      const history = (await step.readHistory(0)).map((text) => JSON.parse(text) as HistoryItem);
      const answer = await think(history, step);
      if (answer !== undefined) await step.answer(answer);
    },
    { consumer: newId('worker'), concurrency: 64 },
  );
}

/** What a person and their client do at a session, by way of the scripts that a gateway runs. */
export class Client {
  readonly frames: ServerFrame[] = [];
  /** Effects of calls, by call: a second one is the fault that R2 forbids. */
  readonly effects = new Map<string, number>();
  private subscription: { close(): Promise<void> } | undefined;
  private executing: NodeJS.Timeout | undefined;

  constructor(
    readonly bus: Bus,
    readonly ref: SessionRef,
    readonly clientId = 'client-1',
  ) {}

  static async open(bus: Bus, name: string, joining: Joining = {}): Promise<Client> {
    const client = new Client(bus, sessionRef({ tenant: 't', sub: 'ana' }, name));
    await client.join(joining);
    return client;
  }

  async join(joining: Joining = {}): Promise<SessionMeta> {
    const hello = { clientId: this.clientId, tools: TOOLS, protocolVersion: '1.0', ...joining };
    const meta = await this.bus.store.join(this.ref, hello, { create: true });
    if (meta === undefined) throw new Error('the session was not created');
    await this.follow(meta);
    return meta;
  }

  /** Reads the log from its beginning: all that can be done in a child. */
  async follow({ epoch }: Pick<SessionMeta, 'epoch'>): Promise<void> {
    this.subscription = await followSession(this.bus.streams, this.ref, { epoch, seq: 0 }, (event) => {
      if (event.kind === 'logged') for (const { text } of event.frames) this.frames.push(JSON.parse(text) as ServerFrame);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.executing);
    await this.subscription?.close();
  }

  /** @param fields more fields of the frame */
  async say(content: string, whenBusy: 'enqueue' | 'steer' | 'interrupt' = 'enqueue', fields = {}): Promise<string> {
    const messageId = newId('msg');
    const summary = JSON.stringify({ message_id: messageId, content });
    const frame = JSON.stringify({ type: 'user_message', content, ...fields });
    const message = { messageId, turnId: newId('turn'), frame, summary, whenBusy };
    const delivered = await this.bus.store.deliverMessage(this.ref, message);
    if (delivered.kind === 'refused') throw new Error(delivered.code);
    return delivered.turnId;
  }

  async settle(callId: string, result: unknown): Promise<string> {
    const frame = JSON.stringify({ type: 'tool_result', call_id: callId, result });
    const settled = await this.bus.store.settleCall(this.ref, { callId, clientId: this.clientId, frame });
    return settled.kind === 'settled' ? settled.outcome : settled.code;
  }

  async decide(callId: string, outcome: 'approved' | 'rejected', more: { readonly remembered?: true } = {}): Promise<string> {
    const call = (await this.bus.store.readCalls(this.ref.sid)).find((record) => record.callId === callId);
    const record = { outcome, argsSha256: call?.argsSha256 ?? '', by: 'ana', atMs: Date.now(), ...more };
    const frame = JSON.stringify({ type: 'approval_resolved', call_id: callId, outcome, args_sha256: record.argsSha256, by: 'ana', at_ms: record.atMs });
    const decided = await this.bus.store.decideCall(this.ref, { callId, record, frame });
    return decided.kind === 'decided' ? 'decided' : decided.code;
  }

  /** Executes every call that may run, once, whenever it appears in the log; answers questions as told. */
  execute(result: (call: ServerFrameOf<'tool_call'>) => unknown, approve: 'approved' | 'rejected' = 'approved'): void {
    const seen = new Set<string>();
    clearInterval(this.executing);
    this.executing = setInterval(() => void this.executeNew(seen, result, approve), 5);
  }

  of<Type extends ServerFrameType>(type: Type): ServerFrameOf<Type>[] {
    return this.frames.filter((frame) => frame.type === type) as unknown as ServerFrameOf<Type>[]; // the type was compared
  }

  /** The text that the user sees, attempts that were replaced left out. */
  get text(): string {
    const replaced = new Set(this.of('assistant_message').map(({ replaces }) => replaces));
    return this.of('assistant_message')
      .filter(({ message_id }) => !replaced.has(message_id))
      .map(({ token }) => token)
      .join('');
  }

  async history(): Promise<HistoryItem[]> {
    const { items } = await this.bus.store.readHistory(this.ref, { from: 0, limit: 10_000 });
    return items.map((text) => JSON.parse(text) as HistoryItem);
  }

  private async executeNew(seen: Set<string>, result: (call: ServerFrameOf<'tool_call'>) => unknown, approve: 'approved' | 'rejected'): Promise<void> {
    for (const call of this.of('tool_call')) {
      if (seen.has(call.call_id)) continue;
      seen.add(call.call_id);
      try {
        if (call.state === 'waiting_approval' && (await this.decide(call.call_id, approve)) === 'decided' && approve === 'rejected') continue;
        this.effects.set(call.call_id, (this.effects.get(call.call_id) ?? 0) + 1);
        await this.settle(call.call_id, result(call));
      } catch {
        seen.delete(call.call_id); // Redis is away: again, as a client does from its journal
      }
    }
  }
}

import { eventually } from '@codelab/testkit';
import { askChat, askProxy, type AskOptions, type ChatAnswer, type ChatChunk } from './ask-proxy.js';
import { plan, type Planned } from './planned-model.js';
import type { System } from './start-system.js';
import { connectWire, type WireClient, type WireFrame } from './wire-client.js';

/** W3C trace context of every request. */
const TRACE = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

/** Somebody with a token of their own, who asks llm-proxy and has IDEs at the gateway. */
export class Person {
  private readonly ides: WireClient[] = [];

  constructor(
    private readonly system: Pick<System, 'gateways' | 'proxies'>,
    readonly token: string,
  ) {}

  get ask(): AskOptions {
    return { url: this.system.proxies[0]?.url ?? '', token: this.token };
  }

  chat(body: object, onChunk?: (chunk: ChatChunk) => void, signal?: AbortSignal): Promise<ChatAnswer> {
    return askChat(body, { ...this.ask, headers: { traceparent: TRACE }, ...(signal && { signal }) }, onChunk);
  }

  /** A request whose tools are run, answered by the model as planned. */
  auto(answers: readonly Planned[], more: object = {}, onChunk?: (chunk: ChatChunk) => void): Promise<ChatAnswer> {
    const messages = [{ role: 'user', content: plan(...answers) }];
    return this.chat({ messages, use_ide_tools: true, tool_execution: 'auto', ...more }, onChunk);
  }

  /** An IDE that answers every call that it may run with `result`. */
  async openIde(
    session: string,
    tools: readonly (string | object)[],
    result: (call: WireFrame) => object = () => ({ content: 'v1.2.3' }),
  ): Promise<WireClient> {
    const ide = await connectWire({
      ...{ ws: this.system.gateways[0]?.ws ?? '', token: this.token, session },
      hello: { client_id: `ide-${session}`, tools, protocol_versions: ['2.0'], workspace: { id: 'w', name: `folder of ${session}` } },
    });
    const run = ({ call_id, fence }: WireFrame, call: WireFrame): void => {
      ide.send({ type: 'tool_ack', call_id, fence: call['fence'], state: 'started' });
      ide.send({ type: 'tool_result', call_id, fence: fence ?? call['fence'], result: result(call) });
    };
    const asked = new Map<unknown, WireFrame>();
    ide.onFrame((frame) => {
      if (frame.type === 'tool_call' && frame['state'] === 'ready' && frame['runs_at'] === undefined) run(frame, frame);
      if (frame.type === 'tool_call' && frame['state'] === 'waiting_approval') asked.set(frame['call_id'], frame);
      const call = frame.type === 'approval_resolved' ? asked.get(frame['call_id']) : undefined;
      if (call !== undefined && frame['outcome'] === 'approved' && call['runs_at'] === undefined) run(frame, call);
    });
    this.ides.push(ide);
    const isThere = async () => (await askProxy('GET', `/v1/tools?session_id=${session}`, this.ask)).status === 200;
    await eventually('the IDE is known', isThere);
    return ide;
  }

  async leave(): Promise<void> {
    await Promise.all(this.ides.map((ide) => ide.close()));
  }
}

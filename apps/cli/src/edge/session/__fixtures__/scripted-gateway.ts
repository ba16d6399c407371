import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

export type Frame = Readonly<Record<string, unknown>> & { readonly type: string };
/** Answers what the client sends after its message was accepted. */
export type Script = (say: (frame: Frame) => void, heard: Frame) => void;

/** A gateway that speaks the frames of one turn: `accepts`: messages are. A session that begins is `s1`. */
export class ScriptedGateway {
  readonly heard: Frame[] = [];
  private readonly server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  private seq = 0;

  constructor(script: Script, accepts: boolean) {
    this.server.on('connection', (socket: WebSocket, request) => {
      const named = decodeURIComponent(request.url?.split('/').at(-1) ?? 'new');
      if (request.headers.authorization !== 'Bearer good') return socket.close(4500, 'unknown token');
      const say = (frame: Frame): void => socket.send(JSON.stringify(LOGGED.has(frame.type) ? { ...frame, seq: ++this.seq } : frame));
      socket.on('message', (data) => {
        const frame = JSON.parse((data as Buffer).toString('utf8')) as Frame;
        this.heard.push(frame);
        if (frame.type === 'hello')
          say({
            type: 'welcome',
            session_id: named === 'new' ? 's1' : named,
            protocol_version: '2.0',
            epoch: 'e',
            seq: 0,
            recovered: false,
            executor: 'you',
            limits: {},
          });
        if (frame.type === 'user_message' && accepts) {
          say({ type: 'message_accepted', message_id: frame.message_id, turn_id: 't1', state: 'started' });
          say({ type: 'turn_started', turn_id: 't1', message_ids: [frame.message_id], model: 'offline' });
        }
        if (frame.type === 'tool_result') say({ type: 'tool_result_ack', call_id: frame.call_id, outcome: 'accepted' });
        script(say, frame);
      });
    });
  }

  async listening(): Promise<this> {
    if (!this.server.address()) await once(this.server, 'listening');
    return this;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/ws`;
  }

  of(type: string): readonly Frame[] {
    return this.heard.filter((frame) => frame.type === type);
  }

  /** Closes every connection with this code. */
  dismiss(code: number): void {
    for (const socket of this.server.clients) socket.close(code);
  }

  async close(): Promise<void> {
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const LOGGED = new Set(['turn_started', 'turn_ended', 'assistant_message', 'tool_call', 'approval_resolved', 'tool_cancel']);

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { WireFrame } from './wire-client.js';

/** What is wrong with a gateway: changes of its frames, of its clients' frames, and of its close codes. */
export interface Fault {
  /** A frame of the gateway becomes these; none drops it. */
  readonly out?: (frame: WireFrame) => readonly object[];
  /** A frame of a client becomes these. `reply` sends one to the client in the gateway's place. */
  readonly in?: (frame: WireFrame, reply: (frame: object) => void) => readonly object[];
  readonly closeCode?: (code: number) => number;
  /** The token that every client is taken for. */
  readonly token?: string;
}

export interface FaultProxy {
  /** Without a path. */
  readonly url: string;
  close(): Promise<void>;
}

/** A real gateway with one thing wrong: a proxy before it that changes what goes through. */
export async function startFaultProxy(target: string, fault: Fault): Promise<FaultProxy> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'codelab.v1' });
  await once(server, 'listening');
  const upstreams = new Set<WebSocket>();
  server.on('connection', (client, request) => {
    const authorization = fault.token === undefined ? request.headers.authorization : `Bearer ${fault.token}`;
    const upstream = new WebSocket(`${target}${request.url ?? ''}`, { headers: authorization === undefined ? {} : { authorization } });
    upstreams.add(upstream);
    const early: string[] = [];
    const reply = (frame: object): void => client.send(JSON.stringify(frame));
    const pass = (text: string): void => (upstream.readyState === upstream.OPEN ? upstream.send(text) : void early.push(text));
    client.on('message', (data) => {
      const text = (data as Buffer).toString('utf8');
      for (const changed of change(text, (frame) => fault.in?.(frame, reply))) pass(changed);
    });
    upstream.on('open', () => {
      for (const text of early.splice(0)) upstream.send(text);
    });
    upstream.on('message', (data) => {
      for (const changed of change((data as Buffer).toString('utf8'), (frame) => fault.out?.(frame))) client.send(changed);
    });
    upstream.on('error', () => client.terminate());
    upstream.on('close', (code) => {
      upstreams.delete(upstream);
      if (code === 1006) client.terminate();
      else client.close(fault.closeCode?.(code) ?? code);
    });
    client.on('error', () => undefined);
    client.on('close', () => upstream.terminate());
  });
  return {
    url: `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      for (const socket of [...server.clients, ...upstreams]) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The texts that a text becomes; what is no frame goes through. */
function change(text: string, by: (frame: WireFrame) => readonly object[] | undefined): readonly string[] {
  let frame: WireFrame;
  try {
    frame = JSON.parse(text) as WireFrame;
  } catch {
    return [text];
  }
  return by(frame)?.map((each) => (each === frame ? text : JSON.stringify(each))) ?? [text];
}

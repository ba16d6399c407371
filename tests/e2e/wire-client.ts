import { WebSocket } from 'ws';

/** A frame as it is on the wire. */
export type WireFrame = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A client that speaks frames and nothing else, and remembers all of them. */
export interface WireClient {
  readonly frames: readonly WireFrame[];
  readonly texts: readonly string[];
  send(frame: object): void;
  sendText(text: string): void;
  /** The first frame, of those seen already and those to come, that fits. */
  waitFor(fits: (frame: WireFrame) => boolean, what?: string, deadlineMs?: number): Promise<WireFrame>;
  waitForType(type: string, deadlineMs?: number): Promise<WireFrame>;
  /** Calls back for each frame from now on. */
  onFrame(listener: (frame: WireFrame) => void): void;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  close(): Promise<void>;
  kill(): void;
}

/** Connects to `ws://…/ws` + `/session`. */
export async function connectWire(options: {
  readonly ws: string;
  readonly session?: string;
  readonly token: string;
  readonly hello?: object;
}): Promise<WireClient> {
  const socket = new WebSocket(`${options.ws}/${options.session ?? 'new'}`, { headers: { authorization: `Bearer ${options.token}` } });
  const frames: WireFrame[] = [];
  const texts: string[] = [];
  const listeners = new Set<(frame: WireFrame) => void>();
  socket.on('message', (data) => {
    const text = (data as Buffer).toString('utf8');
    const frame = JSON.parse(text) as WireFrame;
    frames.push(frame);
    texts.push(text);
    for (const listener of [...listeners]) listener(frame);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => socket.terminate());
  const client: WireClient = {
    frames,
    texts,
    closed,
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendText: (text) => socket.send(text),
    onFrame: (listener) => void listeners.add(listener),
    waitFor: (fits, what = 'the frame', deadlineMs = 45_000) =>
      new Promise((resolve, reject) => {
        const seen = frames.find(fits);
        if (seen !== undefined) return resolve(seen);
        const timer = setTimeout(() => {
          listeners.delete(listener);
          reject(
            new Error(`${what} did not come within ${String(deadlineMs)} ms; there were: ${frames.map(({ type }) => type).join(' ')}`),
          );
        }, deadlineMs);
        const listener = (frame: WireFrame): void => {
          if (!fits(frame)) return;
          clearTimeout(timer);
          listeners.delete(listener);
          resolve(frame);
        };
        listeners.add(listener);
      }),
    waitForType: (type, deadlineMs) => client.waitFor((frame) => frame.type === type, type, deadlineMs),
    close: async () => {
      socket.close();
      await closed;
    },
    kill: () => socket.terminate(),
  };
  if (options.hello !== undefined) client.send({ type: 'hello', protocol_versions: ['1.0'], ...options.hello });
  return client;
}

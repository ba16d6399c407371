import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A stack that nobody came to use ends after this time. */
const FIRST_HOLDER_MS = 60_000;
/** Between the last one's leaving and the end: the next command may follow at once. */
const LINGER_MS = 1_000;
const LOGIN_MS = 5_000;

/**
 * Keeps a stack for as long as somebody uses it: each user holds a connection, first of all sending the token and a newline, and loses it
 * by ending, however it ends. `onUnused` is called once, when the last one has gone or none came.
 */
export class HoldServer {
  private readonly holders = new Set<Socket>();
  private timer: NodeJS.Timeout;

  private constructor(
    private readonly server: Server,
    private readonly token: string,
    private readonly onUnused: () => void,
  ) {
    this.timer = setTimeout(onUnused, FIRST_HOLDER_MS);
    server.on('connection', (socket) => this.greet(socket));
  }

  /** Listens on a free port of loopback. */
  static async start(token: string, onUnused: () => void): Promise<HoldServer> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return new HoldServer(server, token, onUnused);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Lets everybody go, without calling `onUnused`. */
  close(): void {
    clearTimeout(this.timer);
    this.server.close();
    for (const socket of this.holders) socket.destroy();
  }

  private greet(socket: Socket): void {
    const expected = `${this.token}\n`;
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(LOGIN_MS, () => socket.destroy());
    socket.on('error', () => undefined); // 'close' follows
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text === expected) this.hold(socket);
      else if (text.length >= expected.length) socket.destroy();
    });
  }

  private hold(socket: Socket): void {
    socket.setTimeout(0);
    this.holders.add(socket);
    clearTimeout(this.timer);
    socket.write('held\n');
    socket.once('close', () => {
      this.holders.delete(socket);
      if (this.holders.size === 0 && this.server.listening) this.timer = setTimeout(this.onUnused, LINGER_MS);
    });
  }
}

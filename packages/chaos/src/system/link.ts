import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { Flow } from './flow.js';

/** Of what a client says first, for a double of its connection: the upgrade, and its first frames. */
const MOST_HEAD_BYTES = 16 * 1024;

interface Joined {
  readonly client: Socket;
  readonly server: Socket;
  readonly up: Flow;
  readonly down: Flow;
  head: Buffer;
}

/**
 * A line between two programs: a port that leads to the first of `targets` which takes the connection. All that can be wrong with a line
 * is done here, so that both ends are as they are.
 */
export class Link {
  private readonly joined = new Set<Joined>();
  private readonly doubles = new Set<Socket>();
  private isRefusing = false;
  private isHeld: 'up' | 'down' | undefined;
  private delayMs = 0;
  private touchedAt = -Infinity;

  private constructor(
    readonly name: string,
    private readonly server: Server,
    private readonly targets: () => readonly NetConnectOpts[],
  ) {
    server.on('connection', (socket) => void this.join(socket));
  }

  /** `targets` is asked for each connection. */
  static async open(name: string, targets: () => readonly NetConnectOpts[]): Promise<Link> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Link(name, server, targets);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.joined.size;
  }

  /** How long nothing has been done to it, in milliseconds; 0 while something is wrong. */
  get soundMs(): number {
    const isBroken = this.isRefusing || this.isHeld !== undefined || this.delayMs > 0;
    return isBroken ? 0 : performance.now() - this.touchedAt;
  }

  /** Both ends lose their connection, in the middle of whatever it was. New ones are taken. */
  cut(): void {
    this.touch();
    for (const { client, server } of this.joined) {
      client.destroy();
      server.destroy();
    }
  }

  /** Whether new connections are turned away. */
  refuse(isRefusing: boolean): void {
    if (isRefusing !== this.isRefusing) this.touch();
    this.isRefusing = isRefusing;
  }

  /** Bytes come so much later, in order. 0: at once. */
  delay(ms: number): void {
    if (ms !== this.delayMs) this.touch();
    this.delayMs = ms;
    for (const { up, down } of this.joined) for (const flow of [up, down]) flow.delay(ms);
  }

  /** Loses one direction: `up` is from the client to the server. The other goes on. */
  hold(direction: 'up' | 'down' | undefined): void {
    if (direction !== this.isHeld) this.touch();
    this.isHeld = direction;
    for (const { up, down } of this.joined) {
      up.hold(direction === 'up');
      down.hold(direction === 'down');
    }
  }

  /** Half of the next bytes in one direction, then the end; `undefined`: whatever has not come by now comes whole. */
  halve(direction: 'up' | 'down' | undefined): void {
    if (direction !== undefined) this.touch();
    for (const { up, down } of this.joined) {
      up.halve(direction === 'up');
      down.halve(direction === 'down');
    }
  }

  /** Opens each connection a second time with the words of the first; nobody listens to it. `false` ends these. */
  double(isDoubled: boolean): void {
    if (!isDoubled) for (const socket of this.doubles) socket.destroy();
    if (isDoubled) for (const { head } of this.joined) this.openDouble(head);
  }

  heal(): void {
    this.refuse(false);
    this.delay(0);
    this.hold(undefined);
    this.halve(undefined);
    this.double(false);
  }

  private touch(): void {
    this.touchedAt = performance.now();
  }

  async close(): Promise<void> {
    this.cut();
    this.double(false);
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async join(client: Socket): Promise<void> {
    client.on('error', () => undefined); // 'close' follows
    if (this.isRefusing) return void client.destroy();
    const server = await firstOf(this.targets());
    if (server === undefined || client.destroyed) {
      server?.destroy();
      return void client.destroy();
    }
    server.on('error', () => undefined);
    const end = (): void => {
      this.joined.delete(joined);
      joined.up.end();
      joined.down.end();
      client.destroy();
      server.destroy();
    };
    const joined: Joined = {
      ...{ client, server, head: Buffer.alloc(0) },
      up: new Flow(client, server, end),
      down: new Flow(server, client, end),
    };
    client.on('data', (bytes: Buffer) => {
      if (joined.head.length < MOST_HEAD_BYTES) joined.head = Buffer.concat([joined.head, bytes.subarray(0, MOST_HEAD_BYTES)]);
    });
    client.once('close', end);
    server.once('close', end);
    this.joined.add(joined);
    joined.up.delay(this.delayMs);
    joined.down.delay(this.delayMs);
    if (this.isHeld !== undefined) joined[this.isHeld].hold(true);
  }

  private openDouble(head: Buffer): void {
    void firstOf(this.targets()).then((socket) => {
      if (socket === undefined) return;
      this.doubles.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.doubles.delete(socket));
      socket.resume();
      socket.write(head);
    });
  }
}

/** The first of these addresses that takes a connection. */
async function firstOf(targets: readonly NetConnectOpts[]): Promise<Socket | undefined> {
  for (const target of targets) {
    const socket = connect({ ...target, allowHalfOpen: true, noDelay: true });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return socket;
    socket.destroy();
  }
  return undefined;
}

import { TOOLS } from '@codelab/tools';
import { WebSocket } from 'ws';

/** Connections that are opened at the same time. */
const AT_ONCE = 200;
const RESULT = { content: 'x'.repeat(200), encoding: 'utf-8' };
const NAMES = TOOLS.map(({ name }) => name);

export interface CrowdOptions {
  /** `ws://…/ws` of the gateway that the n-th client connects to. */
  readonly ws: (n: number) => string;
  readonly token: (n: number) => string;
  /** Before the number of each client, in the names of sessions. */
  readonly prefix?: string;
}

interface Member {
  readonly socket: WebSocket;
  turnEnded: (() => void) | undefined;
}

interface Frame {
  readonly type: string;
  readonly call_id: string;
  readonly code?: string;
  readonly status?: string;
}

/** Many clients that speak frames and nothing else: each has a session of its own, answers each call at once, and counts what went wrong. */
export class Crowd {
  readonly errors: string[] = [];
  /** Answers to calls: each is followed by a model request. */
  steps = 0;
  turns = 0;
  private readonly members: (Member | undefined)[] = [];
  private isClosing = false;

  constructor(private readonly options: CrowdOptions) {}

  get size(): number {
    return this.members.filter((member) => member !== undefined).length;
  }

  /** Connects and greets so many more; resolves when each has its welcome. */
  async open(count: number): Promise<void> {
    for (const end = this.members.length + count; this.members.length < end;) {
      const first = this.members.length;
      const places = Array.from({ length: Math.min(AT_ONCE, end - first) }, (_, k) => first + k);
      for (const place of places) this.members[place] = undefined;
      await Promise.all(places.map((place) => this.join(place)));
    }
  }

  /** One says something; resolves when its turn is over, however. */
  say(place: number, content = 'go on'): Promise<void> {
    const member = this.members[place];
    if (member === undefined) return Promise.resolve();
    const over = new Promise<void>((resolve) => (member.turnEnded = resolve));
    member.socket.send(JSON.stringify({ type: 'user_message', content }));
    return over;
  }

  /** All of them leave in order. */
  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.all(this.members.map((_, place) => this.leave(place)));
  }

  /** One leaves in order. */
  async leave(place: number): Promise<void> {
    const member = this.members[place];
    this.members[place] = undefined;
    if (member === undefined) return;
    await new Promise((resolve) => {
      member.socket.once('close', resolve);
      member.socket.close();
    });
  }

  private join(place: number): Promise<void> {
    const { ws, token, prefix = 'crowd' } = this.options;
    const session = `${prefix}-${String(place)}`;
    const socket = new WebSocket(`${ws(place)}/${session}`, {
      headers: { authorization: `Bearer ${token(place)}` },
      perMessageDeflate: false,
    });
    const member: Member = { socket, turnEnded: undefined };
    return new Promise((resolve) => {
      const fail = (what: string): void => {
        this.errors.push(`${session}: ${what}`);
        if (this.members[place] === member) this.members[place] = undefined;
        member.turnEnded?.();
        resolve();
      };
      socket.on('error', (error) => fail(String(error)));
      socket.on('close', (code) => {
        if (!this.isClosing && this.members[place] === member) fail(`closed with ${String(code)}`);
      });
      socket.on('open', () => {
        this.members[place] = member;
        const client = { name: 'scale', version: '1' };
        socket.send(JSON.stringify({ type: 'hello', protocol_versions: ['2.1'], client_id: `c-${session}`, tools: NAMES, client }));
      });
      socket.on('message', (data) => {
        const frame = JSON.parse((data as Buffer).toString()) as Frame;
        if (frame.type === 'welcome') resolve();
        else this.take(member, session, frame);
      });
    });
  }

  private take(member: Member, session: string, { type, call_id, code, status }: Frame): void {
    if (type === 'tool_call') {
      this.steps += 1;
      member.socket.send(JSON.stringify({ type: 'tool_result', call_id, result: RESULT }));
    } else if (type === 'error') {
      this.errors.push(`${session}: error ${String(code)}`);
    } else if (type === 'turn_ended') {
      if (status === 'completed') this.turns += 1;
      else this.errors.push(`${session}: a turn ended ${String(status)}`);
      member.turnEnded?.();
    }
  }
}

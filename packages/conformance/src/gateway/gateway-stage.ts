import { randomUUID } from 'node:crypto';
import { exec } from 'node:child_process';
import { demand, Failure, Skip } from '../check.js';
import { PATIENCE } from '../patience.js';
import { about, show, type Frame } from '../wire/frame.js';
import { WireClient, type TokenWay } from './wire-client.js';

/** The gateway that is checked, and what may be done to it. */
export interface GatewayUnderTest {
  /** Without a path and without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** The token of another person. */
  readonly otherToken?: string;
  /** A shell command that kills the gateway, which comes back by itself. */
  readonly kill?: string;
  /** A shell command that asks it to stop; it comes back, too. */
  readonly drain?: string;
}

/** How a check says hello. */
export interface HelloOptions {
  /** Who it is; a new one without. */
  readonly clientId?: string;
  /** Empty: an observer. */
  readonly tools?: readonly string[];
  readonly resume?: object;
  readonly capabilities?: readonly string[];
  readonly session?: string;
  readonly token?: string;
}

/** A client that said hello. */
export interface Joined {
  readonly wire: WireClient;
  readonly welcome: Frame;
  readonly clientId: string;
}

/** What the checks execute with: no file is touched, the results are made up. */
export const TOOLS = ['read_file', 'write_file'] as const;

/** What a check of a gateway has: a session of its own, and connections to it that are closed behind it. */
export class GatewayStage {
  readonly session = `conformance-${randomUUID()}`;
  private readonly wires: WireClient[] = [];

  constructor(readonly gateway: GatewayUnderTest) {}

  /** Connects and says nothing. */
  async connect({ token = this.gateway.token, session = this.session, way }: { token?: string; session?: string; way?: TokenWay } = {}) {
    const wire = await WireClient.connect({ url: this.gateway.url, session, token, way });
    this.wires.push(wire);
    return wire;
  }

  /** Connects and says hello. Fails without a welcome. */
  async join({ clientId = randomUUID(), tools = TOOLS, resume, capabilities = [], session, token }: HelloOptions = {}): Promise<Joined> {
    const wire = await this.connect({ session, token });
    const client = { name: 'codelab-conformance', version: '1' };
    wire.send({
      type: 'hello',
      protocol_versions: ['1.0', '2.0', '2.1'],
      client_id: clientId,
      client,
      tools,
      capabilities,
      vocabulary: 'codelab',
      resume,
    });
    const welcome = await wire.next('welcome', about('welcome'));
    return { wire, welcome, clientId };
  }

  /** Joins as soon as the gateway, which was killed, takes it. */
  async joinAgain(options: HelloOptions): Promise<Joined> {
    const deadline = Date.now() + PATIENCE.startMs;
    for (;;) {
      try {
        return await this.join(options);
      } catch (error) {
        if (!(error instanceof Failure) || Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  /** Says something, with an id. */
  async say(wire: WireClient, content: string, messageId: string = randomUUID()): Promise<Frame> {
    wire.send({ type: 'user_message', message_id: messageId, content });
    return wire.next('message_accepted', (frame) => about('message_accepted')(frame) && frame['message_id'] === messageId);
  }

  /** Gets the gateway's model to call a tool: the built-in one does on plain requests. Skips the check where it doesn't. */
  async call(wire: WireClient, request: string, tool: string): Promise<Frame> {
    await this.say(wire, request);
    return this.called(wire, tool);
  }

  /** The next call of a tool. Skips the check where the model makes none. */
  async called(wire: WireClient, tool: string): Promise<Frame> {
    const isEither = (frame: Frame): boolean => about('tool_call')(frame) || about('turn_ended')(frame);
    const frame = await wire.next(`the call of ${tool}`, isEither);
    if (frame.type === 'turn_ended') throw new Skip(`the model of the gateway did not call ${tool}: let it be \`offline\``);
    demand(frame['tool_name'] === tool, `the model was to call ${tool}, and called ${show(frame)}`);
    return frame;
  }

  /** A call of `write_file` that waits for a decision. */
  async askedCall(wire: WireClient, path = 'b.txt', content = 'hello'): Promise<Frame> {
    const call = await this.call(wire, `create ${path} with "${content}"`, 'write_file');
    if (call['state'] !== 'waiting_approval') throw new Skip(`the gateway asks nobody about write_file: ${show(call)}`);
    return call;
  }

  /** Decides a call by its digest, and waits for the decision to be told. */
  async decide(wire: WireClient, call: Frame, decision: 'approve' | 'reject', more: object = {}): Promise<Frame> {
    wire.send({ type: 'hitl_decision', call_id: call['call_id'], decision, args_sha256: call['args_sha256'], ...more });
    return wire.next('approval_resolved', about('approval_resolved', call['call_id'] as string));
  }

  /** Answers a call with a result that fits its tool, and waits for the acknowledgement. */
  async answer(wire: WireClient, call: Frame, body: object = resultFor(call)): Promise<Frame> {
    wire.send({ type: 'tool_result', call_id: call['call_id'], fence: call['fence'], ...body });
    return wire.next('tool_result_ack', about('tool_result_ack', call['call_id'] as string));
  }

  ended(wire: WireClient): Promise<Frame> {
    return wire.next('turn_ended', about('turn_ended'));
  }

  /** Kills the gateway, or asks it to stop. Skips the check where nobody said how. */
  async command(what: 'kill' | 'drain'): Promise<void> {
    const command = this.gateway[what];
    if (command === undefined) throw new Skip(`nobody said how: --${what} COMMAND`);
    await new Promise<void>((resolve, reject) => {
      exec(command, (error) => (error === null ? resolve() : reject(new Failure(`--${what} failed: ${error.message}`))));
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.wires.map((wire) => wire.close()));
  }
}

/** A result for a call of one of {@link TOOLS}. */
export const resultFor = ({ tool_name, args }: Frame): object =>
  tool_name === 'read_file'
    ? { result: { content: 'alpha\n', encoding: 'utf-8' } }
    : { result: { success: true, bytes_written: Buffer.byteLength(String((args as { readonly content?: unknown }).content)) } };

/** Fails unless the frame is an `error` with this code. */
export function demandCode(frame: Frame, code: string): void {
  demand(frame.type === 'error' && frame['code'] === code, `expected the error ${code}, but ${show(frame)} came`);
}

/** An `error` about a frame of this type. */
export const errorAbout =
  (type: string) =>
  (frame: Frame): boolean =>
    frame.type === 'error' && frame['reply_to_type'] === type;

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argsDigest } from '@codelab/tools';
import type { PeerConnection, WsPeer } from '@codelab/testkit';
import {
  CodeLabClient,
  type ClientOptions,
  type ConnectionState,
  type RunContext,
  type ToolArguments,
  type ToolExecutor,
  type ToolOutcome,
} from '../src/index.js';

/** What a scripted tool does. */
export type ScriptedTool = (args: ToolArguments, context: RunContext) => Promise<ToolOutcome> | ToolOutcome;

/** An executor that does what a test says and remembers what it was asked. */
export class ScriptedExecutor implements ToolExecutor {
  readonly runs: { readonly toolName: string; readonly args: ToolArguments; readonly callId: string; readonly context: RunContext }[] = [];
  readonly tools: readonly string[];

  constructor(
    private readonly scripts: Readonly<Record<string, ScriptedTool>> = {},
    private readonly previews: ToolExecutor['preview'] = () => Promise.resolve(undefined),
  ) {
    this.tools = ['read_file', 'write_file', 'prompt_user', 'run_command', ...Object.keys(scripts)].filter(
      (name, at, all) => all.indexOf(name) === at,
    );
  }

  async run(toolName: string, args: ToolArguments, context: RunContext): Promise<ToolOutcome> {
    this.runs.push({ toolName, args, callId: context.callId, context });
    return (await this.scripts[toolName]?.(args, context)) ?? { ok: true, result: { success: true } };
  }

  preview(...question: Parameters<ToolExecutor['preview']>): ReturnType<ToolExecutor['preview']> {
    return this.previews(...question);
  }
}

/** A promise and the ways to settle it. */
export const deferred = <T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } => {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => (settle = resolve));
  return { promise, resolve: settle };
};

/** Waits so short between attempts that a test doesn't notice. */
export const QUICK = { firstMs: 5, maxMs: 20, factor: 2 } as const;

/** A client under test with everything it said. */
export interface TestClient {
  readonly client: CodeLabClient;
  readonly executor: ScriptedExecutor;
  readonly frames: { readonly type: string }[];
  readonly texts: string[];
  readonly states: ConnectionState[];
  readonly problems: { readonly event: string; readonly message: string }[];
}

/** A folder for journals that goes when the test ends. */
export const makeFolder = async (cleanups: (() => Promise<unknown>)[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-client-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A client with an executor; `journalDir` is the caller's. */
export const makeClient = (
  peer: { readonly url: string },
  journalDir: string,
  options: Partial<ClientOptions> & { executor?: ScriptedExecutor } = {},
): TestClient => {
  const executor = options.executor ?? new ScriptedExecutor();
  const frames: { readonly type: string }[] = [];
  const texts: string[] = [];
  const states: ConnectionState[] = [];
  const problems: { readonly event: string; readonly message: string }[] = [];
  const client = new CodeLabClient({
    url: peer.url,
    token: 'token-1',
    clientId: '6f6c1de2-26a5-4a4b-8f8e-4c1d6a3b2f10',
    client: { name: 'test', version: '1' },
    journalDir,
    backoff: QUICK,
    onFrame: (frame, text) => {
      frames.push(frame);
      texts.push(text);
    },
    onState: (state) => states.push(state),
    onProblem: (problem) => problems.push(problem),
    ...options,
    executor,
  });
  return { client, executor, frames, texts, states, problems };
};

/** A `welcome`. */
export const welcome = (fields: object = {}): object => ({
  type: 'welcome',
  session_id: 's1',
  protocol_version: '2.0',
  epoch: 'e1',
  seq: 0,
  recovered: true,
  executor: 'you',
  limits: {},
  ...fields,
});

interface CallFields {
  readonly args?: object;
  readonly [field: string]: unknown;
}

/** A `tool_call` with its digest; `write_file`, unsafe and decided, unless said. */
export const toolCall = (seq: number, callId: string, fields: CallFields = {}): object => {
  const args = fields.args ?? { path: `${callId}.txt`, content: 'x' };
  return {
    type: 'tool_call',
    seq,
    call_id: callId,
    tool_name: 'write_file',
    requires_approval: false,
    args_sha256: argsDigest(args),
    fence: 1,
    deadline_ms: 60_000,
    idempotency: 'unsafe',
    state: 'ready',
    ...fields,
    args,
  };
};

/** A `tool_call` that waits for a decision. */
export const askedCall = (seq: number, callId: string, fields: CallFields = {}): object =>
  toolCall(seq, callId, {
    requires_approval: true,
    state: 'waiting_approval',
    approval: { reason: 'it writes', risk: 'medium', choices: ['approve', 'edit', 'reject'] },
    ...fields,
  });

/** An `approval_resolved`. */
export const resolved = (seq: number, callId: string, args: object, fields: object = {}): object => ({
  type: 'approval_resolved',
  seq,
  call_id: callId,
  outcome: 'approved',
  args_sha256: argsDigest(args),
  by: 'ann',
  at_ms: 1,
  ...fields,
});

/** The digest of the arguments that {@link toolCall} makes of a call id. */
export const defaultArgs = (callId: string): { readonly path: string; readonly content: string } => ({
  path: `${callId}.txt`,
  content: 'x',
});

/** Lets a client come in: takes its `hello`, answers `welcome`. */
export const letIn = async (
  peer: WsPeer,
  fields: object = {},
): Promise<{ readonly connection: PeerConnection; readonly hello: Readonly<Record<string, unknown>> }> => {
  const connection = await peer.next();
  const hello = await connection.next('hello');
  connection.send(welcome(fields));
  return { connection, hello };
};

/** Acknowledges every `tool_result` as the servers would. */
export const acknowledgeResult = async (connection: PeerConnection, callId: string): Promise<Readonly<Record<string, unknown>>> => {
  const result = await connection.next((frame) => frame.type === 'tool_result' && frame['call_id'] === callId);
  connection.send({ type: 'tool_result_ack', call_id: callId, outcome: 'accepted' });
  return result;
};

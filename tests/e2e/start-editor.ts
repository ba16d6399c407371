import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type ClientCapabilities,
  type ClientContext,
  type ContentBlock,
  type InitializeResponse,
  type McpServer,
  type NewSessionResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Transform, Writable } from 'node:stream';
import { eventually } from '@codelab/testkit';
import { EditorFiles, EditorTerminals, type EditorWorkspace } from './editor-abilities.js';
import { CLI } from './start-system.js';

/** What an editor can do, and how its person answers. */
export interface EditorStart extends EditorWorkspace {
  readonly env: NodeJS.ProcessEnv;
  readonly argv?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  /** The answer to each question: the id or the kind of an option; without, the question stays open until it is taken back. */
  readonly answers?: (question: RequestPermissionRequest) => string | undefined | Promise<string | undefined>;
  /** What the person writes into forms; without, they dismiss them. */
  readonly forms?: (params: unknown) => Readonly<Record<string, string | number | boolean | string[]>> | undefined;
}

/** An editor that has started `codelab acp` and speaks to it by the official client. */
export interface TestEditor {
  readonly agent: ClientContext;
  readonly initialized: InitializeResponse;
  readonly child: ChildProcess;
  /** Everything that was told of a session so far. */
  updates(sessionId: string): readonly SessionUpdate[];
  /** Every question that was put. */
  readonly questions: readonly RequestPermissionRequest[];
  /** The text that the agent has said in a session. */
  said(sessionId: string): string;
  open(mcpServers?: McpServer[], cwd?: string): Promise<NewSessionResponse>;
  prompt(sessionId: string, prompt: string | ContentBlock[]): Promise<{ readonly stopReason: string }>;
  /** Lines of its stdout that are no message of the protocol. */
  readonly strange: readonly string[];
  /** Every line of its stdout. */
  readonly lines: readonly string[];
  stderr(): string;
  readonly files: EditorFiles;
  readonly terminals: EditorTerminals;
  /** Waits until something was told. */
  sees(what: string, sessionId: string, matches: (update: SessionUpdate) => boolean): Promise<boolean>;
  close(): Promise<void>;
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/** Starts `codelab acp` as an editor does, and greets it. */
export async function startEditor(start: EditorStart): Promise<TestEditor> {
  const { root, env, argv = [], capabilities = {}, answers = () => undefined, forms = () => undefined } = start;
  const child = spawn(process.execPath, [CLI, 'acp', ...argv], { env, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [lines, strange]: [string[], string[]] = [[], []];
  const [files, terminals] = [new EditorFiles(), new EditorTerminals()];
  const told = new Map<string, SessionUpdate[]>();
  const questions: RequestPermissionRequest[] = [];
  const app = client({ name: 'test-editor' })
    .onNotification(methods.client.session.update, ({ params }) => {
      told.set(params.sessionId, [...(told.get(params.sessionId) ?? []), params.update]);
    })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
      questions.push(params);
      const answer = await answers(params);
      const option = params.options.find(({ optionId, kind }) => optionId === answer || kind === answer);
      if (option !== undefined) return { outcome: { outcome: 'selected', optionId: option.optionId } };
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return CANCELLED;
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      const content = forms(params);
      return content === undefined ? { action: 'cancel' } : { action: 'accept', content };
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => files.read(params))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => files.write(params))
    .onRequest(methods.client.terminal.create, ({ params }) => terminals.create(params))
    .onRequest(methods.client.terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(methods.client.terminal.waitForExit, ({ params }) => terminals.waitForExit(params.terminalId))
    .onRequest(methods.client.terminal.kill, ({ params }) => terminals.kill(params.terminalId))
    .onRequest(methods.client.terminal.release, ({ params }) => terminals.release(params.terminalId));
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n')) if (line !== '') (line.startsWith('{"jsonrpc"') ? lines : strange).push(line);
      done(null, chunk);
    },
  });
  const output = Readable.toWeb(child.stdout.pipe(watch)) as unknown as ReadableStream<Uint8Array>;
  const connection = app.connect(ndJsonStream(Writable.toWeb(child.stdin), output));
  const { agent } = connection;
  const initialized = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'test-editor', version: '1' },
    clientCapabilities: capabilities,
  });
  const exited = once(child, 'exit');
  return {
    ...{ agent, initialized, child, questions, lines, strange, files, terminals },
    updates: (sessionId) => told.get(sessionId) ?? [],
    said: (sessionId) =>
      (told.get(sessionId) ?? [])
        .map((update) => (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : ''))
        .join(''),
    open: (mcpServers = [], cwd = root) => agent.request(methods.agent.session.new, { cwd, mcpServers }),
    prompt: (sessionId, prompt) =>
      agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt,
      }),
    stderr: () => stderr,
    sees: (what, sessionId, matches) => eventually(what, () => (told.get(sessionId) ?? []).some(matches)),
    close: async () => {
      child.stdin.end();
      await exited;
      await terminals.close();
    },
  };
}

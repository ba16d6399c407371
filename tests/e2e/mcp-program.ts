import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CLI } from './start-system.js';

/** The SDKs that programs have, and the versions of MCP that they speak. */
export const SDKS = ['v1', 'v2 of 2025', 'v2 of 2026'] as const;
export type Sdk = (typeof SDKS)[number];

/** What a call came to, as far as tests look. */
export interface Answered {
  readonly text: string;
  readonly isError: boolean;
}

/** Another program that has started `codelab mcp serve` and speaks with it over its stdin and stdout. */
export interface McpProgram {
  readonly pid: number;
  tools(): Promise<readonly string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Answered>;
  /** The text of a prompt. */
  prompt(name: string, args: string): Promise<string>;
  /** Closes its end; resolves when the server has gone. */
  close(): Promise<void>;
  /** All that the server wrote to stderr. */
  errors(): string;
}

export interface McpProgramOptions {
  readonly sdk: Sdk;
  readonly root: string;
  readonly env: Record<string, string>;
  readonly argv?: readonly string[];
  /** What its person says to a form; without it the program has no forms. */
  readonly onForm?: (message: string) => { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };
}

const INFO = { name: 'tester', version: '1' };

/** Starts a real client with the real command behind it. */
export async function startMcpProgram({ sdk, root, env, argv = [], onForm }: McpProgramOptions): Promise<McpProgram> {
  const start = { command: process.execPath, args: [CLI, 'mcp', 'serve', '--workspace', root, ...argv], env, stderr: 'pipe' as const };
  const capabilities = onForm === undefined ? {} : { elicitation: { form: {} } };
  let errors = '';
  const transport = sdk === 'v1' ? new StdioV1(start) : new StdioV2(start);
  transport.stderr?.on('data', (piece: Buffer) => (errors += piece.toString()));
  let client: ClientV1 | ClientV2;
  if (sdk === 'v1') {
    client = new ClientV1(INFO, { capabilities });
    if (onForm !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ ...onForm(params.message) }));
    await client.connect(transport);
  } else {
    client = new ClientV2(INFO, { capabilities, ...(sdk === 'v2 of 2026' ? { versionNegotiation: { mode: 'auto' as const } } : {}) });
    if (onForm !== undefined)
      client.setRequestHandler('elicitation/create', ({ params }) => Promise.resolve({ ...onForm(params.message) }));
    await client.connect(transport);
  }
  return {
    pid: transport.pid!,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}) {
      const result = (await client.callTool({ name, arguments: args })) as { content: { text?: string }[]; isError?: boolean };
      return { text: result.content.map(({ text }) => text ?? '').join('\n'), isError: result.isError === true };
    },
    async prompt(name, args) {
      const { messages } = await client.getPrompt({ name, arguments: { arguments: args } });
      return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n');
    },
    close: () => client.close(),
    errors: () => errors,
  };
}

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** A form that a program was asked to show, and what its person does with it. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Readonly<Record<string, { readonly enum?: string[]; readonly oneOf?: { const: string }[] }>> };
}
export interface FormAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string>;
}

/** The SDKs that programs have, and the versions of MCP that they speak. */
export const SDKS = ['v1', 'v2 of 2025', 'v2 of 2026'] as const;
export type Sdk = (typeof SDKS)[number];

/** What a call came to. */
export interface Answered {
  readonly text: string;
  readonly isError: boolean;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly content: readonly { readonly type: string; readonly mimeType?: string; readonly data?: string }[];
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}

/** Another program that is connected. */
export interface Program {
  readonly client: Pick<ClientV2, 'listTools' | 'listResources' | 'readResource' | 'listPrompts' | 'getPrompt' | 'complete'>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Answered>;
  close(): Promise<void>;
}

export interface ProgramOptions {
  readonly sdk: Sdk;
  readonly url: string;
  readonly token: string;
  /** Without it the program has no forms. */
  readonly onForm?: (form: Form) => FormAnswer | Promise<FormAnswer>;
}

const INFO = { name: 'tester', version: '1' };

/** Connects a real client of MCP over HTTP. */
export async function connectProgram({ sdk, url, token, onForm }: ProgramOptions): Promise<Program> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const capabilities = onForm === undefined ? {} : { elicitation: { form: {} } };
  if (sdk === 'v1') {
    const client = new ClientV1(INFO, { capabilities });
    if (onForm !== undefined) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ ...(await onForm(params as Form)) }));
    const transport = new HttpV1(new URL(url), { requestInit });
    await client.connect(transport);
    const close = async (): Promise<void> => {
      try {
        await transport.terminateSession();
      } finally {
        await client.close();
      }
    };
    return toProgram(client as unknown as ClientV2, close, (params, options) => client.callTool(params, undefined, options));
  }
  const negotiation = sdk === 'v2 of 2026' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new ClientV2(INFO, { capabilities, ...negotiation });
  if (onForm !== undefined) client.setRequestHandler('elicitation/create', async ({ params }) => ({ ...(await onForm(params as unknown as Form)) }));
  await client.connect(new HttpV2(new URL(url), { requestInit }));
  return toProgram(client, () => client.close(), (params, options) => client.callTool(params, options));
}

type Call = (
  params: { name: string; arguments?: Record<string, unknown> },
  options: { signal?: AbortSignal; onprogress?: (progress: { message?: string }) => void },
) => Promise<unknown>;

function toProgram(client: ClientV2, close: () => Promise<void>, callTool: Call): Program {
  return {
    client,
    close,
    async call(name, args = {}, { signal, onProgress } = {}) {
      const onprogress = onProgress && ((progress: { message?: string }) => onProgress(progress.message ?? ''));
      const result = (await callTool({ name, arguments: args }, { signal, onprogress })) as {
        readonly content: Answered['content'];
        readonly isError?: boolean;
        readonly structuredContent?: Answered['data'];
      };
      const text = result.content.flatMap((block) => ('text' in block ? [String(block.text)] : [])).join('\n');
      return { text, isError: result.isError === true, data: result.structuredContent, content: result.content };
    },
  };
}

import { listLocalRules, holdsAt } from '@codelab/client';
import { readAllowedSecrets } from '@codelab/workspace';
import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Workspace } from '@codelab/workspace';
import type { Asker } from './approvals/human.js';
import { placeOf, type ClientSession } from './calls/client-session.js';
import { judgeCall } from './calls/judge-call.js';
import type { CallServer } from './calls/serve-call.js';
import { type CallPorts } from './calls/serve-call.js';
import { PROMPT_ARGUMENT, toPrompt, type PromptSource } from './content/prompts.js';
import { WorkspaceResources } from './content/workspace-resources.js';
import type { OfferedTool } from './tools/offered-tools.js';

/** What every connection is served from. */
export interface ServedParts extends Omit<CallPorts, 'workspace'> {
  readonly workspace: Workspace;
  readonly name: string;
  readonly version: string;
  readonly calls: CallServer;
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly prompts: PromptSource;
}

/** What the model of another program is told. */
const instructionsOf = (name: string): string =>
  `Tools for the folder "${name}". Paths are relative to it, with "/". Reading runs at once; writing and commands wait until the user approves ` +
  'them, so a call may take long. An error begins with its code: DENIED_BY_USER and DENIED_BY_POLICY are final for that call, ' +
  'APPROVAL_MISMATCH means that a file changed meanwhile: look again.';

/** A server of MCP for one connection, or for one request of those that have none. */
export function buildServer(parts: ServedParts, session: ClientSession): Server {
  const { name, version, workspace, tools, calls, prompts } = parts;
  const server = new Server(
    { name: 'codelab', title: `CodeLab: ${name}`, version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
      instructions: instructionsOf(name),
    },
  );
  const askerOf = (ctx: ServerContext): Asker => ({ ctx, session, capabilities: server.getClientCapabilities() });
  const clientOf = ({ mcpReq }: ServerContext): string => {
    const envelope = mcpReq.envelope as Readonly<Record<string, { readonly name?: string } | undefined>> | undefined; // checked by the SDK
    const info = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
    return info?.name ?? 'an MCP client';
  };
  const resources = new WorkspaceResources({
    workspace,
    masking: async () => ({ allowed: await readAllowedSecrets(parts.dataDir), known: parts.known }),
    judge: (toolName, args) =>
      judgeCall(toolName, args, placeOf(session, parts.workspaceId), {
        mode: parts.mode,
        rules: async (place) => (await listLocalRules(parts.dataDir)).filter((rule) => holdsAt(rule, place)),
        localPolicy: parts.localPolicy,
        now: () => parts.clock.now(),
      }),
  });

  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(({ listed }) => listed) }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = tools.get(params.name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 64)}.`);
    return calls.serve(tool, params.arguments, clientOf(ctx), askerOf(ctx));
  });
  server.setRequestHandler('resources/list', ({ params }, ctx) => resources.list(params?.cursor, ctx.mcpReq.signal));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resources.templates }));
  server.setRequestHandler('resources/read', ({ params }, ctx) => resources.read(params.uri, ctx.mcpReq.signal));
  server.setRequestHandler('prompts/list', async () => ({ prompts: (await prompts.list()).map(toPrompt) }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const text = await prompts.read(params.name, params.arguments?.[PROMPT_ARGUMENT] ?? '');
    if (text === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${params.name.slice(0, 100)}.`);
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  server.setRequestHandler('completion/complete', async ({ params }, ctx) => {
    const isPath = params.ref.type === 'ref/resource' && params.argument.name === 'path';
    const values = isPath ? await resources.complete(params.argument.value, ctx.mcpReq.signal) : [];
    return { completion: { values, hasMore: false } };
  });
  return server;
}

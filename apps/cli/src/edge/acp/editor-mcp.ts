import type { McpServer } from '@agentclientprotocol/sdk';
import type { SessionEvent } from '@codelab/client/view';
import { toServerConfigs } from '../../core/acp/mcp-servers.js';
import { ChatMcp } from '../chat/chat-mcp.js';
import { readConfiguration, type McpConfiguration } from '../mcp/config-files.js';
import { mcpPlaceOf, proxyOf } from '../mcp/mcp-place.js';
import { lookupVariable } from '../mcp/server-environment.js';
import type { ChosenWorkspace } from '../session/choose-workspace.js';
import type { AcpPlace } from './acp-place.js';
import type { HumanInEditor } from './human-in-editor.js';

interface Parts {
  readonly place: AcpPlace;
  readonly chosen: ChosenWorkspace;
  readonly human: HumanInEditor;
  readonly tell: (event: SessionEvent) => void;
  /** What the editor names. */
  readonly given: readonly McpServer[];
  readonly model: () => string | undefined;
}

/** The MCP servers of a session: those that its editor names, which count before others of the same name, and the user's own. */
export async function openEditorMcp({ place, chosen, human, tell, given, model }: Parts): Promise<ChatMcp> {
  const mcpPlace = mcpPlaceOf({ workspace: chosen, dataDir: place.dataDir });
  return new ChatMcp({
    ...{ place: mcpPlace, human, model, tell: (event) => tell(inEditor(event)) },
    configuration: withEditorServers(await readConfiguration(mcpPlace, lookupVariable), given),
    proxy: () => proxyOf(place.gateway),
  });
}

/** What a chat would do by a command of its own is done at a terminal. */
const inEditor = (event: SessionEvent): SessionEvent =>
  event.kind === 'notice'
    ? { ...event, text: event.text.replace(/ \(\/mcp shows [^)]*\)/, '').replace('/mcp login', 'codelab mcp login') }
    : event;

function withEditorServers(own: McpConfiguration, given: readonly McpServer[]): McpConfiguration {
  const { servers, notes } = toServerConfigs(given);
  const isNamed = (name: string): boolean => servers.some((server) => server.name === name);
  const hidden = own.servers.filter(({ config }) => isNamed(config.name));
  return {
    ...own,
    servers: [
      ...servers.map((config) => ({ config, scope: 'user' as const, file: 'the editor' })),
      ...own.servers.filter(({ config }) => !isNamed(config.name)),
    ],
    notes: [
      ...own.notes,
      ...notes,
      ...hidden.map(({ config, file }) => `The server ${config.name} of ${file} is left out: that of the editor has the same name.`),
    ],
  };
}

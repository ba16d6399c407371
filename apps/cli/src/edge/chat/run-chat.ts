import { indexOptions } from '../index/index-options.js';
import { ignoredModelsFile, ignoredToolsFile } from '@codelab/service-shell';
import { createInterface } from 'node:readline/promises';
import { newChat } from '../../core/chat/chat-state.js';
import { modeNamed, type SessionChoices } from '../../core/session/permission-mode.js';
import { readCliConfig } from '../config.js';
import { askAboutFiles } from '../mcp/ask-about-files.js';
import { readConfiguration, type ConfigPlace, type McpConfiguration } from '../mcp/config-files.js';
import { mcpPlaceOf } from '../mcp/mcp-place.js';
import { lookupVariable } from '../mcp/server-environment.js';
import { fetchPrograms } from '../programs/fetch-programs.js';
import { needsOfChat } from '../programs/plan-programs.js';
import { chooseGateway, withUsualGateway, type GatewayOptions } from '../session/choose-gateway.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import { findSession } from '../session/find-session.js';
import { hasOnlyOffline } from '../../core/stack/provider-settings.js';
import { toolsFileWarning } from '../stack/tools-file.js';
import { readSettings, usualChoices } from '../user-config/read-settings.js';
import { ChatRun } from './chat-run.js';
import { runPipedChat } from './run-piped-chat.js';

/** Asks the person at the terminal whether the services of this machine may be started again, for a reason given. Enter means no. */
async function mayRestart(why: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const left = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const question = `${why}\nStart them again with yours? Turns that run there go on afterwards. [y/N] `;
    return /^y(es)?$/i.test((await Promise.race([lines.question(question), left])).trim());
  } finally {
    lines.close();
  }
}

/** The MCP servers of the person and of this folder, whose files are asked about first: each content of them once. */
async function chosenServers(place: ConfigPlace): Promise<McpConfiguration> {
  const { waiting } = await readConfiguration(place, lookupVariable);
  const unseen = waiting.filter(({ refused }) => !refused);
  if (unseen.length > 0) await askAboutFiles(place, unseen, { input: process.stdin, output: process.stderr });
  return readConfiguration(place, lookupVariable);
}

/** What a user without a key is told at the start. */
const offlineHint =
  'The offline model answers: a set of rules, no language model. For a real one set ANTHROPIC_API_KEY or OPENAI_API_KEY ' +
  '(OPENAI_BASE_URL for another server, such as Ollama, and CODELAB_MODEL for its model), and start again.';

/** The options of `codelab chat`. */
export interface ChatOptions extends GatewayOptions, SessionChoices {
  readonly workspace: string;
  readonly continue?: boolean;
  readonly session?: string;
}

/** Talks until the user leaves. Throws `CommandError` for what can't even be begun. */
export async function runChat(firstMessage: string | undefined, options: ChatOptions): Promise<void> {
  const config = readCliConfig();
  const { dataDir, configDir, term } = config;
  const workspace = await chooseWorkspace(options.workspace, dataDir);
  const interactive = process.stdin.isTTY && process.stdout.isTTY && term !== 'dumb';
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await fetchPrograms(await needsOfChat(config, withUsualGateway(options).url), { dataDir, say });
  const gateway = await chooseGateway(options, say, interactive ? mayRestart : undefined);
  try {
    const last = options.continue ? await workspace.lastSession(gateway.place) : undefined;
    const named = options.session === undefined ? undefined : await findSession(gateway, options.session);
    const place = {
      gateway,
      workspace,
      dataDir,
      configDir,
      index: indexOptions(config),
      sessionId: named ?? last ?? 'new',
      choices: options,
    };
    if (!interactive) return await runPipedChat(place, firstMessage);
    const isLocal = gateway.place === 'local';
    const isOffline = gateway.settings !== undefined && hasOnlyOffline(gateway.settings);
    const ownFiles = isLocal ? [ignoredModelsFile(config), ignoredToolsFile(config), await toolsFileWarning(config)] : [];
    const hints = [
      ...(options.continue && last === undefined ? ['There is no conversation of this folder to continue: this is a new one.'] : []),
      ...(isOffline ? [offlineHint] : []),
      ...ownFiles.filter((hint) => hint !== undefined),
    ];
    const chosen = options.permissionMode ?? (place.sessionId === 'new' ? usualChoices().permissionMode : undefined);
    const mode = chosen && modeNamed(chosen);
    const state = newChat({ history: await workspace.history(), model: options.model, mode, thoughts: readSettings().thoughts });
    const run = new ChatRun(place, state, await chosenServers(mcpPlaceOf(place)));
    await run.run(firstMessage, hints);
  } finally {
    gateway.stop();
  }
}

import { ignoredModelsFile } from '@codelab/service-shell';
import { newChat } from '../../core/chat/chat-state.js';
import { offlineHint } from '../../core/chat/offline-hint.js';
import { readCliConfig } from '../config.js';
import { fetchPrograms } from '../programs/fetch-programs.js';
import { needsOfChat } from '../programs/plan-programs.js';
import type { GatewayOptions } from '../session/choose-gateway.js';
import { chooseGateway } from '../session/choose-gateway.js';
import { mayRestart } from '../session/may-restart.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import { ChatRun } from './chat-run.js';
import { runPipedChat } from './run-piped-chat.js';

/** The options of `codelab chat`. */
export interface ChatOptions extends GatewayOptions {
  readonly workspace: string;
  readonly continue?: boolean;
  readonly session?: string;
}

/** Talks until the user leaves. Throws `CommandError` for what can't even be begun. */
export async function runChat(firstMessage: string | undefined, options: ChatOptions): Promise<void> {
  const config = readCliConfig();
  const { dataDir, term } = config;
  const workspace = await chooseWorkspace(options.workspace, dataDir);
  const interactive = process.stdin.isTTY && process.stdout.isTTY && term !== 'dumb';
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await fetchPrograms(await needsOfChat(config, options.url), { dataDir, say });
  const gateway = await chooseGateway(options, say, interactive ? mayRestart : undefined);
  try {
    const last = options.continue ? await workspace.lastSession(gateway.place) : undefined;
    const place = { gateway, workspace, dataDir, sessionId: options.session ?? last ?? 'new' };
    if (!interactive) return await runPipedChat(place, firstMessage);
    const isLocal = gateway.place === 'local';
    const isOffline = gateway.settings !== undefined && Object.keys(gateway.settings).length === 0;
    const ignored = isLocal ? ignoredModelsFile(config) : undefined;
    const hints = [
      ...(options.continue && last === undefined ? ['There is no conversation of this folder to continue: this is a new one.'] : []),
      ...(isOffline ? [offlineHint] : []),
      ...(ignored === undefined ? [] : [ignored]),
    ];
    const run = new ChatRun(place, newChat({ history: await workspace.history() }));
    await run.run(firstMessage, hints);
  } finally {
    gateway.stop();
  }
}

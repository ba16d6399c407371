import { CommandError } from '../../core/command-error.js';
import type { Gateway } from '../session/gateway.js';
import type { ChosenWorkspace } from '../session/choose-workspace.js';
import { readCliConfig } from '../config.js';
import type { ConfigPlace } from './config-files.js';

/** Where the configurations of a command are. */
export const mcpPlaceOf = ({
  workspace,
  dataDir,
}: {
  readonly workspace: Pick<ChosenWorkspace, 'identity'>;
  readonly dataDir: string;
}): ConfigPlace => ({ dataDir, configDir: readCliConfig().configDir, workspace: workspace.identity });

/** The llm-proxy beside a gateway, for what servers ask models. Throws `CommandError` where none is known. */
export async function proxyOf(gateway: Gateway): Promise<{ readonly url: string; readonly token: string }> {
  await gateway.follow();
  if (gateway.llmProxy !== undefined) return { url: gateway.llmProxy, token: gateway.token };
  throw new CommandError('No llm-proxy is known for this gateway: set CODELAB_LLM_PROXY_URL.');
}

import type { CodeIndexOptions } from '@codelab/workspace';
import type { SessionChoices } from '../../core/session/permission-mode.js';
import type { ChosenWorkspace } from '../session/choose-workspace.js';
import type { Gateway } from '../session/gateway.js';

/** Where a conversation is held, and which one. */
export interface ChatPlace {
  readonly gateway: Gateway;
  readonly workspace: ChosenWorkspace;
  readonly dataDir: string;
  readonly configDir?: string;
  /** How the code is indexed; without it there is no index. */
  readonly index?: CodeIndexOptions | undefined;
  /** `new`, or the conversation that goes on. */
  readonly sessionId: string;
  readonly choices?: SessionChoices;
}

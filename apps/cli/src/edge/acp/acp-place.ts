import type { CodeIndexOptions } from '@codelab/workspace';
import type { SessionChoices } from '../../core/session/permission-mode.js';
import type { Gateway } from '../session/gateway.js';

/** What all sessions of the process have. */
export interface AcpPlace {
  readonly gateway: Gateway;
  readonly dataDir: string;
  readonly configDir: string;
  readonly index: CodeIndexOptions | undefined;
  readonly choices: SessionChoices;
}

import { modeNamed, modeNameOf, nextMode, PERMISSION_MODES, permissionModesText, type PermissionMode } from '@codelab/client/view';
import type { SessionMode } from '@codelab/protocol';

export { modeNamed, modeNameOf, nextMode, PERMISSION_MODES, permissionModesText, type PermissionMode };

/** What somebody chose for a conversation: on the command line, or in the settings for all that begin. */
export interface SessionChoices {
  readonly vocabulary?: string;
  readonly model?: string;
  readonly agent?: string;
  readonly permissionMode?: PermissionMode;
}

/** What a client says of it when it introduces itself; what is absent stays as the conversation has it. */
export interface Wishes {
  readonly vocabulary: string | undefined;
  readonly model: string | undefined;
  readonly mode: SessionMode | undefined;
  readonly agent: string | undefined;
}

/**
 * @param sessionId `new`, or a conversation that goes on
 * @param usual of conversations that begin here; a choice that was made for an earlier one stays
 */
export function wishesOf(chosen: SessionChoices, sessionId: string, usual: SessionChoices = {}): Wishes {
  const begins = sessionId === 'new' ? usual : {};
  const permissionMode = chosen.permissionMode ?? begins.permissionMode;
  return {
    vocabulary: chosen.vocabulary ?? begins.vocabulary,
    model: chosen.model ?? begins.model,
    mode: permissionMode && modeNamed(permissionMode),
    agent: chosen.agent,
  };
}

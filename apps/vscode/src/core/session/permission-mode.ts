import { modeNamed, modeNameOf, PERMISSION_MODES, type PermissionMode } from '@codelab/client/view';
import type { SessionMode } from '@codelab/protocol';

/** The mode of conversations that begin: a folder that is not trusted is strict whatever the setting says. */
export const modeOf = (setting: string, isTrusted: boolean): SessionMode =>
  isTrusted
    ? modeNamed(PERMISSION_MODES.includes(setting as PermissionMode) ? (setting as PermissionMode) : modeNameOf(undefined))
    : 'strict';

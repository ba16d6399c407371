import type { KeyKind } from './key-kind.js';
import { OWNER_KINDS } from './owner-kinds.js';
import { SESSION_KINDS } from './session-kinds.js';
import { SYSTEM_KINDS } from './system-kinds.js';

/** Every key and channel that the services use, and there are no others: `keys.ts` builds them out of this. For the reference page and the tests. */
export const KEY_KINDS: readonly KeyKind[] = [SESSION_KINDS, OWNER_KINDS, SYSTEM_KINDS].flatMap((kinds) => Object.values<KeyKind>(kinds));

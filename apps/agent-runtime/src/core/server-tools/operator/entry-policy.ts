import type { EntryPolicy } from '@codelab/config-file';
import type { PolicyRow } from '@codelab/tools';

/** How calls are judged that the operator has put to a human, whatever rules people made. `undefined`: as every tool from outside. */
export const entryPolicy = (policy: EntryPolicy | undefined, does: string): PolicyRow | undefined =>
  policy === undefined
    ? undefined
    : { modes: { strict: 'ask', medium: 'ask', permissive: 'ask' }, risk: 'medium', does, touches: 'processes', alwaysAsks: true };

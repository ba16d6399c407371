import { ToolFailure } from '../../tool-failure.js';

/** A command without an approval that may run with one. */
export class NeedsApproval extends ToolFailure {
  /** @param reason a clause for people */
  constructor(
    readonly reason: string,
    hint = '',
  ) {
    super('DENIED_BY_POLICY', `The command needs an approval: ${reason}.${hint} Nothing was run.`);
  }
}

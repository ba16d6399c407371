import type { Approval, RuleProposal } from '@codelab/protocol';
import type { PolicyDecision } from '@codelab/tools';

/** Rules that a question offers. */
const MAX_PROPOSALS = 8;
/** Characters of them: a rule repeats words of the call, which may be as long as a frame. */
const MAX_PROPOSAL_CHARACTERS = 16 * 1024;

/** The question about a call, as approvers are shown it. `expiresAtMs`: 0 for never. */
export function toApproval({ reason, risk, proposals = [] }: Extract<PolicyDecision, { kind: 'ask' }>, expiresAtMs: number): Approval {
  const offered = fitting(proposals);
  return {
    reason,
    risk,
    choices: ['approve', 'edit', 'reject'],
    proposals: offered.length === 0 ? undefined : offered,
    expires_at_ms: expiresAtMs === 0 ? undefined : expiresAtMs,
  };
}

/** The narrowest that fit; one that is too long is left out. */
const fitting = (proposals: readonly RuleProposal[]): RuleProposal[] => {
  let left = MAX_PROPOSAL_CHARACTERS;
  return proposals.slice(0, MAX_PROPOSALS).filter((proposal) => {
    const characters = JSON.stringify(proposal).length;
    if (characters > left) return false;
    left -= characters;
    return true;
  });
};

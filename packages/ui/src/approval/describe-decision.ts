import type { Approval } from '@codelab/protocol';

const OUTCOMES: Readonly<Record<string, string>> = {
  approved: 'It was approved',
  edited: 'It was approved with other arguments',
  rejected: 'It was rejected',
  expired: 'Nobody decided in time: it has expired',
  cancelled: 'It was cancelled',
};

/** How a question ended, as a sentence: `It was approved by ann.` */
export function describeDecision(approval: Approval | undefined): string {
  const { outcome, by } = approval ?? {};
  const what = (outcome && OUTCOMES[outcome]) ?? 'It waits no more';
  return by === undefined || outcome === 'expired' ? `${what}.` : `${what} by ${by}.`;
}

import { useList, type List } from '../../resource/use-list.js';
import type { WaitingCall } from '../../rest/approvals.js';

const REFRESH_MS = 3_000;

/** The calls of all sessions that wait for a decision, the one first that was asked first. */
export function useApprovals(): List<WaitingCall> {
  return useList<WaitingCall, 'approvals'>('/api/v1/approvals', 'approvals', {}, { everyMs: REFRESH_MS });
}

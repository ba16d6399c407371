import type { Check } from '../check.js';
import { APPROVAL_CHECKS } from './checks/approvals.js';
import { CANCEL_CHECKS } from './checks/cancelling.js';
import { CONNECT_CHECKS } from './checks/connecting.js';
import { CUT_CHECKS } from './checks/cuts.js';
import { DIGEST_CHECKS } from './checks/digests.js';
import { END_CHECKS } from './checks/ends.js';
import { EXECUTOR_CHECKS } from './checks/executor.js';
import { JOURNAL_CHECKS } from './checks/journal.js';
import { LOG_CHECKS } from './checks/log.js';
import { OPERAND_CHECKS } from './checks/operands.js';
import { PATH_CHECKS } from './checks/paths.js';
import { REASK_CHECKS } from './checks/reask.js';
import { REDELIVERY_CHECKS } from './checks/redelivery.js';
import { RESULT_CHECKS } from './checks/results.js';
import { RESUME_CHECKS } from './checks/resume.js';
import type { ClientStage } from './client-stage.js';

const ALL: readonly Check<ClientStage>[] = [
  ...CONNECT_CHECKS,
  ...EXECUTOR_CHECKS,
  ...APPROVAL_CHECKS,
  ...DIGEST_CHECKS,
  ...OPERAND_CHECKS,
  ...REASK_CHECKS,
  ...REDELIVERY_CHECKS,
  ...LOG_CHECKS,
  ...RESUME_CHECKS,
  ...CUT_CHECKS,
  ...JOURNAL_CHECKS,
  ...RESULT_CHECKS,
  ...CANCEL_CHECKS,
  ...PATH_CHECKS,
  ...END_CHECKS,
];

/** What a client is checked for, in the order of the table. Each fails, too, on a message of the client that is no frame. */
export const CLIENT_CHECKS: readonly Check<ClientStage>[] = ALL.map((check) => ({
  ...check,
  run: async (stage) => {
    await check.run(stage);
    stage.demandClean();
  },
}));

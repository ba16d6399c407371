import type { Check } from '../check.js';
import { CALL_CHECKS } from './checks/calls.js';
import { CUT_CHECKS } from './checks/cuts.js';
import { DECISION_CHECKS } from './checks/decisions.js';
import { DOOR_CHECKS } from './checks/door.js';
import { EXECUTOR_CHECKS } from './checks/executors.js';
import { FRAME_CHECKS } from './checks/frames.js';
import { KILL_CHECKS } from './checks/kills.js';
import { MESSAGE_CHECKS } from './checks/messages.js';
import { OWNER_CHECKS } from './checks/owners.js';
import { RESULT_CHECKS } from './checks/results.js';
import { RESUME_CHECKS } from './checks/resuming.js';
import { SEED_CHECKS } from './checks/seed.js';
import type { GatewayStage } from './gateway-stage.js';

/** What a gateway is checked for, in the order of the table. */
export const GATEWAY_CHECKS: readonly Check<GatewayStage>[] = [
  ...DOOR_CHECKS,
  ...FRAME_CHECKS,
  ...MESSAGE_CHECKS,
  ...CALL_CHECKS,
  ...EXECUTOR_CHECKS,
  ...DECISION_CHECKS,
  ...RESULT_CHECKS,
  ...RESUME_CHECKS,
  ...CUT_CHECKS,
  ...OWNER_CHECKS,
  ...SEED_CHECKS,
  ...KILL_CHECKS,
];

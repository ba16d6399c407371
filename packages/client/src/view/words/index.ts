export { callFacts, shownProgress } from './call-words.js';
export { describeActivity, type ActivityWords } from './describe-activity.js';
export { foldTasks } from './fold-tasks.js';
export { formatBytes, formatCost, formatCount, formatDuration, formatPlural, formatSeconds } from './format.js';
export { lastLines, stripSteering } from './last-lines.js';
export { mentionAt, writeMention, type OpenMention } from './mention.js';
export {
  describeMode,
  modeNamed,
  modeNameOf,
  nextMode,
  PERMISSION_MODES,
  permissionModesText,
  type PermissionMode,
} from './permission-modes.js';
export { sessionUsageParts, usageParts } from './usage-words.js';

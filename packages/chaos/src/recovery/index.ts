export { measureRecovery, type RecoveryOptions } from './measure-recovery.js';
export { STRIKES } from './strikes.js';

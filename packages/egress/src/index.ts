export { parseEgressAllow, type EgressAllow, type EgressTarget } from './egress-allow.js';
export { EgressError, type EgressFailure } from './egress-error.js';
export { Egress, MAX_REDIRECTS, toTarget, type EgressAnswer, type EgressOptions, type EgressRequest } from './egress.js';
export type { Resolve } from './guarded-connect.js';

export { parseEgressAllow, type EgressAllow, type EgressTarget } from './egress-allow.js';
export { EgressError, type EgressFailure } from './egress-error.js';
export { Egress, type EgressAnswer, type EgressOptions, type EgressPage, type EgressRequest } from './egress.js';
export type { Resolve } from './guarded-connect.js';
export { allowHostsOf } from './named-hosts.js';
export { isPublicAddress } from './public-address.js';
export { MAX_REDIRECTS, toTarget } from './redirects.js';

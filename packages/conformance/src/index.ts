export type { Check, CheckFacts } from './check.js';
export { checkClient, type CheckClientOptions } from './client/check-client.js';
export { CLIENT_CHECKS } from './client/client-checks.js';
export { checkGateway, type CheckGatewayOptions } from './gateway/check-gateway.js';
export { GATEWAY_CHECKS } from './gateway/gateway-checks.js';
export { reportLine, reportSum } from './report.js';
export type { CheckResult } from './run-checks.js';
export { RFC8785_VECTORS, type CanonicalVector } from './vectors/rfc8785.js';

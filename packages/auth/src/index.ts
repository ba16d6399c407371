export { createAuthenticate, type ApiKey, type Authenticate, type Authenticated } from './authenticate.js';
export { ALL_SCOPES, signatureOf, USUAL_SCOPES, type Identity, type Scope } from './identity.js';
export { judgeRenewal } from './judge-renewal.js';
export { hostOf, judgeSource, type SourceRules } from './judge-source.js';
export { createVerifyJwt, type JwtIssuer } from './verify-jwt.js';

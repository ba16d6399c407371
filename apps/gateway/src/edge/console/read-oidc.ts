import { ConfigError } from '@codelab/service-shell';
import type { GatewayConfig } from '../config.js';
import type { OidcSettings } from './oidc-sign-in.js';

/** The provider that the configuration names, or none. Throws `ConfigError` where only a part of it is there. */
export function readOidc(config: GatewayConfig): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes: scopes, oidcName, jwtIssuer } = config;
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer === undefined) throw new ConfigError(['CODELAB_OIDC_ISSUER is not set: set it to the URL of the provider.']);
  if (clientId === undefined) throw new ConfigError(['CODELAB_OIDC_CLIENT_ID is not set: set it to what the provider calls the console.']);
  if (jwtIssuer === undefined) {
    throw new ConfigError([
      'CODELAB_OIDC_ISSUER needs CODELAB_JWT_ISSUER: set CODELAB_JWT_ISSUER, CODELAB_JWT_AUDIENCE and CODELAB_JWT_JWKS_URL, so that the ' +
        "provider's tokens count.",
    ]);
  }
  return { issuer, clientId, clientSecret, scopes, name: oidcName ?? new URL(issuer).host };
}

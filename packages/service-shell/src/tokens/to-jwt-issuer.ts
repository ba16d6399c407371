import type { JwtIssuer } from '@codelab/auth';
import type { AccessConfig } from '../config/access-config.js';
import { ConfigError } from '../config/read-config.js';

type Settings = Pick<AccessConfig, 'jwtIssuer' | 'jwtAudience' | 'jwtSecret' | 'jwtPublicKey' | 'jwtJwksUrl' | 'jwtUnscopedMayDoAll'>;

/** The issuer that the configuration names, or none. Throws `ConfigError` where only a part of it is there. */
export function toJwtIssuer(settings: Settings): JwtIssuer | undefined {
  const { jwtIssuer, jwtAudience, jwtSecret, jwtPublicKey, jwtJwksUrl, jwtUnscopedMayDoAll: unscopedMayDoAll } = settings;
  const keys: JwtIssuer['key'][] = [
    ...(jwtSecret === undefined ? [] : [{ kind: 'secret', secret: jwtSecret } as const]),
    ...(jwtPublicKey === undefined ? [] : [{ kind: 'public_key', pem: jwtPublicKey.replaceAll('\\n', '\n') } as const]),
    ...(jwtJwksUrl === undefined ? [] : [{ kind: 'jwks', url: jwtJwksUrl } as const]),
  ];
  const [key, ...others] = keys;
  if (key === undefined && jwtIssuer === undefined && jwtAudience === undefined) return undefined;
  if (key === undefined || others.length > 0) {
    throw new ConfigError([
      'CODELAB_JWT_ISSUER needs one key: set CODELAB_JWT_SECRET, CODELAB_JWT_PUBLIC_KEY or CODELAB_JWT_JWKS_URL, one of them.',
    ]);
  }
  if (jwtIssuer === undefined) throw new ConfigError(['CODELAB_JWT_ISSUER is not set: set it to the `iss` of the tokens.']);
  if (jwtAudience === undefined) throw new ConfigError(['CODELAB_JWT_AUDIENCE is not set: set it to the `aud` of the tokens.']);
  return { issuer: jwtIssuer, audience: jwtAudience, key, unscopedMayDoAll };
}

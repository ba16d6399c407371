import { createAuthenticate, createVerifyJwt, type Authenticate, type JwtIssuer } from '@codelab/auth';
import type { AccessConfig } from '../config/access-config.js';
import { ConfigError } from '../config/read-config.js';
import type { Logger } from '../logger.js';
import { loadTokens } from './load-tokens.js';

/** The judge of tokens that a configuration asks for; what it refuses of its issuer is logged. Throws `ConfigError` where it is not whole. */
export async function loadAuthenticate(config: AccessConfig, logger: Logger): Promise<Authenticate> {
  const issuer = toJwtIssuer(config);
  const keys = await loadTokens({ tokens: config.tokens, dataDir: config.dataDir });
  const onRefusedClaims = (fault: string): void => logger.warn({ event: 'token.refused', fault });
  try {
    return createAuthenticate(keys, issuer === undefined ? undefined : await createVerifyJwt(issuer, onRefusedClaims));
  } catch {
    throw new ConfigError(['CODELAB_JWT_PUBLIC_KEY is not valid: set it to an RSA public key in PEM (BEGIN PUBLIC KEY).']);
  }
}

type Settings = Pick<AccessConfig, 'jwtIssuer' | 'jwtAudience' | 'jwtSecret' | 'jwtPublicKey' | 'jwtJwksUrl' | 'jwtUnscopedMayDoAll'>;

/** The issuer that the configuration names, or none. Throws `ConfigError` where only a part of it is there. */
function toJwtIssuer(settings: Settings): JwtIssuer | undefined {
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

import { createAuthenticate, createVerifyJwt, type Authenticate } from '@codelab/auth';
import type { AccessConfig } from '../config/access-config.js';
import { ConfigError } from '../config/read-config.js';
import type { Logger } from '../logger.js';
import { loadTokens } from './load-tokens.js';
import { toJwtIssuer } from './to-jwt-issuer.js';

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

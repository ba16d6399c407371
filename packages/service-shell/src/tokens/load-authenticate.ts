import { createAuthenticate, createVerifyJwt, type Authenticate } from '@codelab/auth';
import type { DoorConfig } from '../config/door-config.js';
import { ConfigError } from '../config/read-config.js';
import { loadTokens } from './load-tokens.js';
import { toJwtIssuer } from './to-jwt-issuer.js';

/** The judge of tokens that a configuration asks for. Throws `ConfigError` where it is not whole. */
export async function loadAuthenticate(config: DoorConfig): Promise<Authenticate> {
  const issuer = toJwtIssuer(config);
  const keys = await loadTokens({ tokens: config.tokens, dataDir: config.dataDir });
  try {
    return createAuthenticate(keys, issuer === undefined ? undefined : await createVerifyJwt(issuer));
  } catch {
    throw new ConfigError(['CODELAB_JWT_PUBLIC_KEY is not valid: set it to an RSA public key in PEM (BEGIN PUBLIC KEY).']);
  }
}

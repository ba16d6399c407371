import { IsBoolean, IsInt, IsOptional, IsUrl, Matches, Max, Min, MinLength } from 'class-validator';
import { ServiceConfig } from './service-config.js';
import { Setting } from './setting.js';

const GIBIBYTE = 1024 ** 3;
/** What one person may store where nobody says otherwise. */
export const QUOTA_OWNER_BYTES = GIBIBYTE;
const MAX_QUOTA_BYTES = Number.MAX_SAFE_INTEGER;

/** What a service that people and programs knock at reads: whose JWTs it takes beside the API keys. */
export class AccessConfig extends ServiceConfig {
  @Setting({
    env: 'CODELAB_JWT_ISSUER',
    meaning: 'The one issuer whose JWTs count, `iss`. Unset: API keys only.',
    expects: 'the `iss` of the tokens',
  })
  @IsOptional()
  @MinLength(1)
  jwtIssuer?: string;

  @Setting({ env: 'CODELAB_JWT_AUDIENCE', meaning: 'What `aud` of a JWT must name.', expects: 'the `aud` of the tokens' })
  @IsOptional()
  @MinLength(1)
  jwtAudience?: string;

  @Setting({
    env: 'CODELAB_JWT_SECRET',
    meaning: "The issuer's shared secret: tokens are HS256.",
    expects: 'at least 32 characters, and neither CODELAB_JWT_PUBLIC_KEY nor CODELAB_JWT_JWKS_URL beside it',
    secret: true,
  })
  @IsOptional()
  @MinLength(32)
  jwtSecret?: string;

  @Setting({
    env: 'CODELAB_JWT_PUBLIC_KEY',
    meaning: "The issuer's public key: tokens are RS256. Line breaks may be written as \\n.",
    expects: 'a public key in PEM (BEGIN PUBLIC KEY)',
  })
  @IsOptional()
  @Matches(/-----BEGIN PUBLIC KEY-----/)
  jwtPublicKey?: string;

  @Setting({
    env: 'CODELAB_JWT_JWKS_URL',
    meaning: 'Where the issuer publishes its keys: tokens are RS256. Read when needed, and kept.',
    expects: 'a URL such as https://issuer.example.com/.well-known/jwks.json',
  })
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  jwtJwksUrl?: string;

  @Setting({
    env: 'CODELAB_JWT_UNSCOPED_MAY_DO_ALL',
    meaning: 'Whether a JWT with neither `scope` nor `scp` may do everything but operate. Otherwise it may do nothing.',
    expects: 'true or false',
  })
  @IsBoolean()
  jwtUnscopedMayDoAll: boolean = false;

  @Setting({
    env: 'CODELAB_QUOTA_OWNER_BYTES',
    meaning: 'What one person may store in Redis: the sessions, with history, frames, calls and results. Over it: 429, `QUOTA`.',
    expects: 'a whole number of bytes from 0 (any amount) to 9007199254740991',
    unit: 'bytes',
  })
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA_BYTES)
  quotaOwnerBytes: number = QUOTA_OWNER_BYTES;

  @Setting({
    env: 'CODELAB_QUOTA_TENANT_BYTES',
    meaning: 'What all persons of one tenant may store in Redis together.',
    expects: 'a whole number of bytes from 0 (any amount) to 9007199254740991',
    unit: 'bytes',
  })
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA_BYTES)
  quotaTenantBytes: number = 8 * GIBIBYTE;

  /** What the bus keeps. */
  get quotas(): { readonly ownerBytes: number; readonly tenantBytes: number } {
    return { ownerBytes: this.quotaOwnerBytes, tenantBytes: this.quotaTenantBytes };
  }
}

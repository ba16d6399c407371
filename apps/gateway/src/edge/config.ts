import { IsInt, IsOptional, IsUrl, Matches, Max, Min, MinLength, ValidateBy } from 'class-validator';
import type { SourceRules } from '@codelab/auth';
import { AccessConfig, readConfig, Setting, type UnauthenticatedLimits } from '@codelab/service-shell';

const MEGABYTE = 1024 * 1024;

const Whole =
  (min: number, max: number): PropertyDecorator =>
  (target, key) => {
    for (const decorate of [IsInt(), Min(min), Max(max)]) decorate(target, key);
  };

const isOrigin = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;

/** What the gateway reads from its environment. */
export class GatewayConfig extends AccessConfig {
  @Setting({ env: 'GATEWAY_PORT', meaning: 'Port of the gateway: WebSocket and REST.', expects: 'a port from 0 (any free one) to 65535' })
  @Whole(0, 65_535)
  port: number = 8000;

  @Setting({
    env: 'GATEWAY_ALLOWED_ORIGINS',
    meaning: "Origins of web pages that may connect, comma-separated, beside the gateway's own. Programs send none.",
    expects: 'origins such as https://codelab.example.com',
    defaultText: 'none',
  })
  @ValidateBy({ name: 'origins', validator: { validate: (value) => Array.isArray(value) && value.every(isOrigin) } })
  allowedOrigins: string[] = [];

  @Setting({
    env: 'GATEWAY_PING_INTERVAL_MS',
    meaning: 'How often a silent connection is asked whether it lives; twice without a sign of life and it is closed with 4001.',
    expects: 'a whole number of milliseconds from 20 to 600000',
    unit: 'ms',
  })
  @Whole(20, 600_000)
  pingIntervalMs: number = 20_000;

  @Setting({
    env: 'GATEWAY_DRAIN_SPREAD_MS',
    meaning: 'Over how much time a gateway that stops sends its clients away.',
    expects: 'a whole number of milliseconds from 0 to 600000',
    unit: 'ms',
  })
  @Whole(0, 600_000)
  drainSpreadMs: number = 2_000;

  @Setting({
    env: 'GATEWAY_STORE_AWAY_MS',
    meaning: 'How long Redis may be away before clients are sent to another gateway with 4003.',
    expects: 'a whole number of milliseconds from 100 to 86400000',
    unit: 'ms',
  })
  @Whole(100, 86_400_000)
  storeAwayMs: number = 60_000;

  @Setting({ env: 'GATEWAY_MAX_CONNECTIONS', meaning: 'Connections that one gateway holds.', expects: 'a whole number from 1 to 1000000' })
  @Whole(1, 1_000_000)
  maxConnections: number = 50_000;

  @Setting({
    env: 'GATEWAY_MAX_CONNECTIONS_PER_OWNER',
    meaning: 'Connections of one person among them; 0: any number.',
    expects: 'a whole number from 0 to 1000000',
  })
  @Whole(0, 1_000_000)
  maxConnectionsPerOwner: number = 20_000;

  @Setting({
    env: 'GATEWAY_MAX_UNAUTHENTICATED',
    meaning: 'Sockets that have not authenticated after a second, and WebSockets before their `auth`, in all.',
    expects: 'a whole number from 0 to 100000; 0 demands the token in the upgrade request',
  })
  @Whole(0, 100_000)
  maxUnauthenticated: number = 1_024;

  @Setting({
    env: 'GATEWAY_MAX_UNAUTHENTICATED_PER_ADDRESS',
    meaning: 'Likewise, from one address, or from one /64 of IPv6.',
    expects: 'a whole number from 0 to 100000',
  })
  @Whole(0, 100_000)
  maxUnauthenticatedPerAddress: number = 64;

  @Setting({
    env: 'GATEWAY_OUTBOX_BYTES',
    meaning: 'Bytes that may wait for one connection; a reader that is slower begins again with a snapshot.',
    expects: 'a whole number of bytes from 65536 to 1073741824',
    unit: 'bytes',
  })
  @Whole(65_536, 1_073_741_824)
  outboxBytes: number = 8 * MEGABYTE;

  @Setting({
    env: 'GATEWAY_OUTBOX_FRAMES',
    meaning: 'Frames that may wait for one connection.',
    expects: 'a whole number from 16 to 1000000',
  })
  @Whole(16, 1_000_000)
  outboxFrames: number = 1_024;

  @Setting({
    env: 'GATEWAY_OUTBOX_TOTAL_BYTES',
    meaning: 'Bytes that may wait for all connections together.',
    expects: 'a whole number of bytes from 1048576 to 1099511627776',
    unit: 'bytes',
  })
  @Whole(MEGABYTE, 1_099_511_627_776)
  outboxTotalBytes: number = 256 * MEGABYTE;

  @Setting({
    env: 'GATEWAY_EXECUTOR_GRACE_MS',
    meaning: 'How long an executor may be away before another connected client that declared tools follows it.',
    expects: 'a whole number of milliseconds from 0 to 86400000',
    unit: 'ms',
  })
  @Whole(0, 86_400_000)
  executorGraceMs: number = 5_000;

  @Setting({
    env: 'GATEWAY_STALLED_MS',
    meaning: 'After how long a connection that takes nothing, although something waits, is closed with 4002.',
    expects: 'a whole number of milliseconds from 100 to 86400000',
    unit: 'ms',
  })
  @Whole(100, 86_400_000)
  stalledMs: number = 300_000;

  @Setting({
    env: 'GATEWAY_CONSOLE_DIR',
    meaning: 'The folder with the files of the web console, which is served at `/`.',
    expects: 'a folder with an index.html',
    defaultText: 'apps/console/dist of the installation',
  })
  @IsOptional()
  @MinLength(1)
  consoleDir?: string;

  @Setting({
    env: 'CODELAB_OIDC_ISSUER',
    meaning:
      'The OpenID provider that people sign in to the web console with. Its tokens have to be those that CODELAB_JWT_ISSUER and its key accept.',
    expects: 'an https URL; what is below it at /.well-known/openid-configuration says the rest',
  })
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  oidcIssuer?: string;

  @Setting({ env: 'CODELAB_OIDC_CLIENT_ID', meaning: 'What the provider calls the console.', expects: 'the client_id' })
  @IsOptional()
  @MinLength(1)
  oidcClientId?: string;

  @Setting({
    env: 'CODELAB_OIDC_CLIENT_SECRET',
    meaning: 'Of a confidential client; a public one has none. PKCE is used in either case.',
    expects: 'the client_secret',
    secret: true,
  })
  @IsOptional()
  @MinLength(1)
  oidcClientSecret?: string;

  @Setting({
    env: 'CODELAB_OIDC_SCOPES',
    meaning: 'What the provider is asked for.',
    expects: 'scopes separated by spaces, openid among them',
  })
  @Matches(/(^| )openid( |$)/)
  oidcScopes: string = 'openid';

  @Setting({
    env: 'CODELAB_OIDC_NAME',
    meaning: 'What the button of the sign-in page calls the provider.',
    expects: 'a few words',
    defaultText: 'the host of the issuer',
  })
  @IsOptional()
  @MinLength(1)
  oidcName?: string;

  override get unauthenticated(): UnauthenticatedLimits {
    return { total: this.maxUnauthenticated, perAddress: this.maxUnauthenticatedPerAddress };
  }

  override get sources(): SourceRules {
    return { origins: this.allowedOrigins, hosts: this.allowedHosts };
  }
}

/** The configuration of this process. Throws `ConfigError`. */
export const readGatewayConfig = (): GatewayConfig => readConfig(GatewayConfig, process.env);

import { IsIn, IsInt, IsNotEmpty, Matches, Max, Min, ValidateBy } from 'class-validator';
import type { SourceRules } from '@codelab/auth';
import { isAddressBlock } from '../sockets/peer-address.js';
import type { UnauthenticatedLimits } from '../sockets/unauthenticated-sockets.js';
import { Setting } from './setting.js';
import { TracedConfig } from './traced-config.js';

const DAY_MS = 86_400_000;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One server by TCP, TLS or a Unix socket, or the servers of Sentinel or Cluster. */
export const REDIS_URL = /^(rediss?(\+(sentinel|cluster))?:\/\/|unix:\/|\/)\S+$/;
export const REDIS_URL_EXPECTS =
  'redis://127.0.0.1:6379, rediss://:password@host:6380/0, unix:/run/redis.sock, redis+sentinel://host:26379,host/name or redis+cluster://host:7000,host, or these two with rediss+ for TLS';

/** What every service reads. A service extends it in its `edge/config.ts`. */
export class ServiceConfig extends TracedConfig {
  @Setting({
    env: 'HOST',
    meaning: 'Address that the service binds to. Loopback unless told otherwise; `0.0.0.0` in a container.',
    expects: 'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
  })
  @IsNotEmpty()
  host: string = '127.0.0.1';

  @Setting({
    env: 'CODELAB_ALLOWED_HOSTS',
    meaning:
      'Host names by which this service may be asked, comma-separated; `*.example.com` for all below, `*` for any. Loopback names, addresses, ' +
      'names without a dot and the hosts of allowed origins always are. Others are 403: a page elsewhere could lead its own name here.',
    expects: 'names without scheme and port, such as codelab.example.com',
    defaultText: 'none',
  })
  @Matches(/^(\*|(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)$/, { each: true })
  allowedHosts: string[] = [];

  @Setting({
    env: 'CODELAB_TRUSTED_PROXIES',
    meaning:
      'Addresses and CIDR blocks of reverse proxies before this service, comma-separated: whoever is behind them is counted by `X-Forwarded-For`.',
    expects: 'addresses such as 10.0.0.2 or 172.16.0.0/12',
    defaultText: 'none',
  })
  @ValidateBy({ name: 'blocks', validator: { validate: (value) => Array.isArray(value) && value.every(isAddressBlock) } })
  trustedProxies: string[] = [];

  @Setting({
    env: 'CODELAB_HEADERS_TIMEOUT_MS',
    meaning: 'How long a client may take for the headers of a request; longer is 408.',
    expects: 'a whole number of milliseconds from 100 to 60000',
    unit: 'ms',
  })
  @IsInt()
  @Min(100)
  @Max(60_000)
  headersTimeoutMs: number = 5_000;

  @Setting({ env: 'LOG_LEVEL', meaning: 'How much is logged.', expects: `one of ${LOG_LEVELS.join(', ')}` })
  @IsIn(LOG_LEVELS)
  logLevel: LogLevel = 'info';

  @Setting({
    env: 'REDIS_URL',
    meaning: 'The Redis that joins the services. `codelab up` starts a private one when it is unset.',
    expects: REDIS_URL_EXPECTS,
    defaultText: 'redis://127.0.0.1:6379',
    secret: true,
  })
  @Matches(REDIS_URL)
  redisUrl: string = 'redis://127.0.0.1:6379';

  @Setting({
    env: 'CODELAB_SESSION_TTL_MS',
    meaning:
      'How long a session that nobody writes to is kept; the same for every service. While a turn runs or a call is open it is kept on.',
    expects: 'a whole number of milliseconds from 1000 to 31536000000',
    unit: 'ms',
  })
  @IsInt()
  @Min(1_000)
  @Max(365 * DAY_MS)
  sessionTtlMs: number = 30 * DAY_MS;

  @Setting({
    env: 'CODELAB_PARKED_TTL_MS',
    meaning:
      'How long a turn may wait for a human or a client that does nothing, before the janitor cancels it; the same for every service.',
    expects: 'a whole number of milliseconds from 1000 to 31536000000',
    unit: 'ms',
  })
  @IsInt()
  @Min(1_000)
  @Max(365 * DAY_MS)
  parkedTtlMs: number = 30 * DAY_MS;

  @Setting({
    env: 'DRAIN_TIMEOUT_MS',
    meaning: 'How long a service that is told to stop finishes what it has begun.',
    expects: 'a whole number of milliseconds from 0 to 600000',
    unit: 'ms',
  })
  @IsInt()
  @Min(0)
  @Max(600_000)
  drainTimeoutMs: number = 8_000;

  /** How many sockets may be open without having shown a good token. */
  get unauthenticated(): UnauthenticatedLimits {
    return { total: 1_024, perAddress: 64 };
  }

  /** How long what nobody touches stays in Redis. */
  get retention(): { readonly sessionTtlMs: number; readonly parkedTtlMs: number } {
    return { sessionTtlMs: this.sessionTtlMs, parkedTtlMs: this.parkedTtlMs };
  }

  /** From where this service lets itself be asked. */
  get sources(): SourceRules {
    return { origins: [], hosts: this.allowedHosts };
  }
}

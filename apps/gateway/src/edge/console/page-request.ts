import type { IncomingMessage } from 'node:http';
import { hostOf } from '@codelab/auth';
import { cameByTls, forwardedFor, peerOf } from '@codelab/service-shell';
import type { PageRequest } from '../../core/console/judge-page.js';

/** Whether an address is that of a proxy of ours. */
export type IsTrusted = (address: string) => boolean;

const textOf = (header: string | readonly string[] | undefined): string | undefined => (typeof header === 'string' ? header : undefined);

/** What a request says of the page that it comes from. */
export function toPageRequest(request: IncomingMessage, isTrusted: IsTrusted, { isUpgrade = false } = {}): PageRequest {
  const { headers, method = 'GET' } = request;
  return {
    ...{ method, isUpgrade, isSecure: cameByTls(request, isTrusted), host: hostOf(request), origin: headers.origin },
    ...{ fetchSite: textOf(headers['sec-fetch-site']), mark: textOf(headers['x-codelab-console']), cookie: headers.cookie },
  };
}

/** Who counts as one that guesses. */
export const peerOfRequest = (request: IncomingMessage, isTrusted: IsTrusted): string => peerOf(forwardedFor(request, isTrusted));

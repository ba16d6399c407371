import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { refuse } from '@codelab/protocol';
import { clearCookie, cookieName, readCookie, writeCookie } from '../../core/console/judge-page.js';
import { isStoreAway } from '../../core/refusals.js';
import { RefusedRequest } from '../rest/refused-request.js';
import { CONSOLE_PORTS } from '../tokens.js';
import type { ConsolePorts } from './console-ports.js';
import { OidcError, type OidcFault, type OidcSignIn } from './oidc-sign-in.js';
import { peerOfRequest, toPageRequest } from './page-request.js';
import { protectPage } from './serve-console.js';

/** The cookie of a sign-in that is under way: it has to come back with a request that the provider's page made. */
const PENDING = 'codelab-oidc';
const PENDING_S = 600;

/** Signs browsers in with an OpenID provider. Whatever goes wrong, a person ends at the console, which says what. */
@Controller('console/oidc')
export class OidcController {
  constructor(@Inject(CONSOLE_PORTS) private readonly ports: ConsolePorts) {}

  @Get()
  async begin(@Req() request: Request, @Res() response: Response, @Query() { to = '/' }: { readonly to?: unknown }): Promise<void> {
    const page = toPageRequest(request, this.ports.isTrusted);
    const { isSecure, host = '' } = page;
    const before = this.ports.browsers.ticketOf(page); // it doesn't come with the way back, which another site begins
    const redirectUri = `${isSecure ? 'https' : 'http'}://${host}/console/oidc/callback`;
    const peer = peerOfRequest(request, this.ports.isTrusted);
    await this.orSay(response, async (oidc) => {
      if (this.ports.begunSignIns.begin(peer) > 0) throw new OidcError('unavailable', new Error('too many were begun from one address'));
      const { location, ticket } = await oidc.begin({ redirectUri, to: isPlace(to) ? to : '/', before });
      const cookie = writeCookie(cookieName(page, PENDING), ticket, isSecure, { maxAgeS: PENDING_S, sameSite: 'Lax' });
      response.setHeader('set-cookie', cookie);
      return location;
    });
  }

  @Get('callback')
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    const page = toPageRequest(request, this.ports.isTrusted);
    const { isSecure, cookie } = page;
    const name = cookieName(page, PENDING);
    const query = request.url.split('?').slice(1).join('?');
    response.setHeader('set-cookie', clearCookie(name, isSecure));
    await this.orSay(response, async (oidc) => {
      const { token, to, before } = await oidc.finish(readCookie(cookie, name), query);
      this.ports.begunSignIns.forgive(peerOfRequest(request, this.ports.isTrusted));
      response.setHeader('set-cookie', [clearCookie(name, isSecure), await this.ports.browsers.begin(token, page, before)]);
      return to;
    });
  }

  /** Sends the browser where `work` says, or to the console with why not. */
  private async orSay(response: Response, work: (oidc: OidcSignIn) => Promise<string>): Promise<void> {
    const { oidc, logger } = this.ports;
    if (oidc === undefined) throw new RefusedRequest(refuse('INVALID_TYPE', 'no OpenID provider is set: see CODELAB_OIDC_ISSUER'));
    protectPage(response);
    response.setHeader('cache-control', 'no-store');
    try {
      response.redirect(302, await work(oidc));
    } catch (error) {
      const fault: OidcFault | undefined = error instanceof OidcError ? error.fault : isStoreAway(error) ? 'unavailable' : undefined;
      if (fault === undefined) throw error;
      logger.warn({ event: 'oidc.failed', fault, cause: causeOf(error) });
      response.redirect(302, `/?sign_in_error=${fault}`);
    }
  }
}

/** A path of this origin: neither another host nor a scheme, however it is written. */
const isPlace = (to: unknown): to is string =>
  typeof to === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && new URL(to, 'http://gateway').origin === 'http://gateway';

/** What an operator needs: the library's code and words, and the provider's code; no token is in them. */
const causeOf = (error: unknown): string | undefined => {
  const { cause } = error as { readonly cause?: unknown };
  if (!(cause instanceof Error)) return undefined;
  const { code, error: named } = cause as { readonly code?: unknown; readonly error?: unknown };
  return [cause.name, code, named, cause.message].filter((part) => typeof part === 'string').join(' ');
};

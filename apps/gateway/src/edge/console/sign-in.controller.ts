import { Controller, Get, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '@codelab/auth';
import { refuse } from '@codelab/protocol';
import { judgePage } from '../../core/console/judge-page.js';
import { TextField } from '../rest/body-field.js';
import { readBody } from '../rest/read-body.js';
import { RefusedRequest } from '../rest/refused-request.js';
import { sendRefusal } from '../rest/send-refusal.js';
import { CONSOLE_PORTS } from '../tokens.js';
import type { ConsolePorts } from './console-ports.js';
import { peerOfRequest, toPageRequest } from './page-request.js';
import { readSmallBody } from './read-small-body.js';

class SignIn {
  @TextField('An API key, or a JWT of the configured issuer.', { min: 1, max: 8_000 }) token!: string;
}

const TOO_MANY = refuse('RATE_LIMITED', 'too many wrong tokens came from this address: wait before you try the next');

/** Signs browsers in and out. The cookie stands for the token, which no script ever has. */
@Controller('console')
export class SignInController {
  constructor(@Inject(CONSOLE_PORTS) private readonly ports: ConsolePorts) {}

  @Post('sign-in')
  @HttpCode(200)
  async signIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { authenticate, browsers, wrongTokens, isTrusted, sockets } = this.ports;
    const page = this.demandPage(request);
    const peer = peerOfRequest(request, isTrusted);
    const { token } = readBody(SignIn, await readSmallBody(request));
    const waitMs = wrongTokens.begin(peer);
    if (waitMs > 0) return sendRefusal(response, TOO_MANY, { retryAfterS: Math.ceil(waitMs / 1_000) });
    const authenticated = await authenticate(token.trim());
    if (authenticated.ok || authenticated.code === 'UNAVAILABLE') wrongTokens.forgive(peer);
    if (!authenticated.ok) throw new RefusedRequest(authenticated);
    sockets.admit(request.socket);
    const { identity } = authenticated;
    if (!identity.scopes.includes('session')) throw new RefusedRequest(refuse('FORBIDDEN', 'this token lacks the scope session'));
    response.setHeader('set-cookie', await browsers.begin(token.trim(), page));
    response.setHeader('cache-control', 'no-store').json(presentPerson(identity));
  }

  @Post('sign-out')
  @HttpCode(204)
  @Header('cache-control', 'no-store')
  async signOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    response.setHeader('set-cookie', await this.ports.browsers.end(this.demandPage(request)));
  }

  /** Whether the browser is signed in, and how it can be. */
  @Get('me')
  @Header('cache-control', 'no-store')
  async me(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<object> {
    const { browsers, isTrusted, sockets, version, oidc } = this.ports;
    const judged = await browsers.judge(toPageRequest(request, isTrusted));
    if (judged.kind === 'refused' && judged.clear !== undefined) response.setHeader('set-cookie', judged.clear);
    if (judged.kind === 'signed_in') sockets.admit(request.socket);
    return {
      ...(judged.kind === 'signed_in' ? { signed_in: presentPerson(judged.identity) } : {}),
      ...{ version, methods: { token: true, ...(oidc === undefined ? {} : { oidc: { name: oidc.name } }) } },
    };
  }

  /** The page that asks, which has to be the console's own. Throws `RefusedRequest`. */
  private demandPage(request: Request) {
    const page = toPageRequest(request, this.ports.isTrusted);
    const refusal = judgePage(page);
    if (refusal !== undefined) throw new RefusedRequest(refusal);
    return page;
  }
}

const presentPerson = ({ owner, scopes, expiresAtMs }: Identity): object => ({
  ...{ tenant: owner.tenant, sub: owner.sub, scopes, expires_at_ms: expiresAtMs },
});

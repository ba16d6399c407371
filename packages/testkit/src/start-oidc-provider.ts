import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';

/** What a provider does with the next person who signs in. */
export interface NextSignIn {
  /** Sent back instead of a code. */
  readonly error?: string;
  /** Laid over the claims of the ID token. */
  readonly claims?: JWTPayload;
  /** Sent back instead of the state that was given. */
  readonly state?: string;
}

/** An OpenID provider over HTTP with one client and one person, who signs in without a word. */
export interface OidcProvider {
  /** The issuer. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Requests to the authorization endpoint, oldest first. */
  readonly asked: readonly URLSearchParams[];
  next(what: NextSignIn): void;
  close(): Promise<void>;
}

interface Code {
  readonly asked: URLSearchParams;
  readonly claims: JWTPayload;
}

const CLIENT = { clientId: 'codelab-console', clientSecret: 'secret-of-the-client' } as const;

/** Starts a provider on a free port. It demands PKCE with S256, the client's secret, and takes each code once. */
export async function startOidcProvider(): Promise<OidcProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, Code>();
  const asked: URLSearchParams[] = [];
  let coming: NextSignIn = {};

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    asked.push(query);
    const back = new URL(query.get('redirect_uri') ?? '');
    const { error, claims = {}, state } = coming;
    coming = {};
    const code = randomBytes(16).toString('hex');
    if (error === undefined) codes.set(code, { asked: query, claims });
    back.search = new URLSearchParams({
      ...(error === undefined ? { code } : { error, error_description: 'call <b>this</b> number' }),
      ...{ state: state ?? query.get('state') ?? '', iss: url() },
    }).toString();
    response.writeHead(302, { location: back.href }).end();
  };

  const redeem = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await readAll(request));
    const known = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isClient = form.get('client_id') === CLIENT.clientId && form.get('client_secret') === CLIENT.clientSecret;
    const isGood =
      known?.asked.get('code_challenge_method') === 'S256' &&
      known.asked.get('code_challenge') === challenge &&
      known.asked.get('redirect_uri') === form.get('redirect_uri');
    if (!isClient || !isGood) return sendJson(response, { error: isClient ? 'invalid_grant' : 'invalid_client' }, isClient ? 400 : 401);
    const now = Math.floor(Date.now() / 1_000);
    const nonce = known.asked.get('nonce');
    const claims = {
      iss: url(),
      sub: 'carol',
      aud: CLIENT.clientId,
      iat: now,
      exp: now + 3_600,
      nonce,
      scope: 'session approve',
      ...known.claims,
    };
    const idToken = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
    return sendJson(response, {
      access_token: randomBytes(16).toString('hex'),
      token_type: 'Bearer',
      expires_in: 3_600,
      id_token: idToken,
    });
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url());
    if (pathname === '/.well-known/openid-configuration') return sendJson(response, describe(url()));
    if (pathname === '/jwks') return sendJson(response, { keys: [jwk] });
    if (pathname === '/authorize') return authorize(searchParams, response);
    if (pathname === '/token') return void redeem(request, response);
    response.writeHead(404).end();
  });
  const url = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ url: url(), ...CLIENT, asked },
    next: (what) => void (coming = what),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const describe = (issuer: string): object => ({
  ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` },
  ...{ response_types_supported: ['code'], subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
  ...{ code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['client_secret_post'] },
  authorization_response_iss_parameter_supported: true,
});

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString('utf8');
  return text;
}

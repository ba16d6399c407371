import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a test may ask the servers, and set. */
export interface ProtectedServer {
  /** The MCP server, which wants a token. */
  readonly url: string;
  readonly issuer: string;
  /** Requests that came, as `METHOD path`. */
  readonly requests: readonly string[];
  /** Access tokens that the MCP server saw. */
  readonly seen: ReadonlySet<string>;
  readonly refreshes: () => number;
  /** The redirect URIs of the clients that registered themselves. */
  readonly registered: readonly string[];
  /** Makes the tokens that there are end at once. */
  expire(): void;
  /** Refuses every further refresh. */
  revoke(): void;
  close(): Promise<void>;
}

interface Settings {
  /** Overrides fields of the metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Clients that were registered by hand. */
  readonly clients?: readonly string[];
  /** Seconds that an access token lives. */
  readonly lifetime?: number;
}

/** An OAuth 2.1 authorization server and an MCP server behind it, over HTTP: PKCE, registration, rotation of refresh tokens. */
export async function startProtectedServer({ metadata = {}, clients = [], lifetime = 3_600 }: Settings = {}): Promise<ProtectedServer> {
  const requests: string[] = [];
  const seen = new Set<string>();
  const registered: string[] = [];
  const known = new Map<string, readonly string[]>(clients.map((id) => [id, []]));
  const codes = new Map<
    string,
    { readonly challenge: string; readonly redirect: string; readonly client: string; readonly resource: string | null }
  >();
  let valid = new Set<string>();
  let refreshTokens = new Set<string>();
  let refreshes = 0;
  let isRevoked = false;

  const issue = (response: ServerResponse): void => {
    const [access, refresh] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
    valid.add(access);
    refreshTokens.add(refresh);
    json(response, 200, { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: lifetime, scope: 'mcp' });
  };

  const authorization = await listen(async (request, response, url) => {
    requests.push(`${request.method} ${url.pathname}`);
    const issuer = `http://${request.headers.host}`;
    if (url.pathname.startsWith('/.well-known/oauth-authorization-server')) {
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        ...metadata,
      });
    }
    if (url.pathname === '/register') {
      const { redirect_uris: uris } = JSON.parse(await bodyOf(request)) as { readonly redirect_uris: readonly string[] };
      const id = `client-${known.size}`;
      known.set(id, uris);
      registered.push(...uris);
      return json(response, 201, { client_id: id, redirect_uris: uris, token_endpoint_auth_method: 'none' });
    }
    if (url.pathname === '/authorize') {
      const {
        client_id: client = '',
        redirect_uri: redirect = '',
        state = '',
        code_challenge: challenge = '',
      } = Object.fromEntries(url.searchParams);
      const uris = known.get(client);
      if (uris === undefined || (uris.length > 0 && !uris.includes(redirect)) || url.searchParams.get('code_challenge_method') !== 'S256') {
        return json(response, 400, { error: 'invalid_request' });
      }
      const code = randomBytes(8).toString('hex');
      codes.set(code, { challenge, redirect, client, resource: url.searchParams.get('resource') });
      return response.writeHead(302, { location: `${redirect}?${new URLSearchParams({ code, state }).toString()}` }).end();
    }
    if (url.pathname !== '/token') return json(response, 404, {});
    const body = new URLSearchParams(await bodyOf(request));
    if (body.get('grant_type') === 'refresh_token') {
      refreshes += 1;
      const token = body.get('refresh_token') ?? '';
      if (isRevoked || !refreshTokens.delete(token)) return json(response, 400, { error: 'invalid_grant' });
      return issue(response);
    }
    const code = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      code === undefined ||
      code.challenge !== challenge ||
      code.redirect !== body.get('redirect_uri') ||
      code.client !== body.get('client_id')
    ) {
      return json(response, 400, { error: 'invalid_grant' });
    }
    if (code.resource !== body.get('resource')) return json(response, 400, { error: 'invalid_target' });
    return issue(response);
  });
  const issuer = originOf(authorization);

  const resource = await listen(async (request, response, url) => {
    const own = `http://${request.headers.host}`;
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource')) {
      return json(response, 200, { resource: `${own}/mcp`, authorization_servers: [issuer], scopes_supported: ['mcp'] });
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined) seen.add(token);
    if (token === undefined || !valid.has(token)) {
      return response
        .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource/mcp", scope="mcp"` })
        .end();
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(await bodyOf(request)) as {
      readonly id?: number;
      readonly method: string;
      readonly params?: { readonly protocolVersion?: string };
    };
    if (message.id === undefined) return response.writeHead(202).end();
    json(response, 200, { jsonrpc: '2.0', id: message.id, ...answer(message) });
  });
  return {
    url: `${originOf(resource)}/mcp`,
    issuer,
    requests,
    seen,
    registered,
    refreshes: () => refreshes,
    expire: () => (valid = new Set()),
    revoke: () => {
      isRevoked = true;
      refreshTokens = new Set();
    },
    close: async () => {
      for (const server of [authorization, resource]) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}

function answer({ method, params }: { readonly method: string; readonly params?: { readonly protocolVersion?: string } }): object {
  if (method === 'initialize') {
    return {
      result: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'protected', version: '1' } },
    };
  }
  if (method === 'tools/list') return { result: { tools: [{ name: 'secret', inputSchema: { type: 'object' } }] } };
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text: 'the secret' }] } };
  return { error: { code: -32601, message: 'no such method' } };
}

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function listen(handle: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<unknown>): Promise<Server> {
  const server = createServer((request, response) => void handle(request, response, new URL(request.url ?? '/', 'http://x')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

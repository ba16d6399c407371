import { baseUrl, byName, flag, milliseconds, object, text, texts, variable } from '../schema-parts.js';

/** The JSON Schema of `codelab.tools.yaml`: shapes and ranges. What names refer to is checked in `check-references.ts`. */

const owners = { type: 'array', items: { type: 'string', format: 'owner' } } as const;
const audience = { owners, tenants: texts } as const;
const headers = byName(text, "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$");
const policy = { enum: ['ask', 'deny'] } as const;

const mcpServer = object(
  {
    url: baseUrl,
    transport: { enum: ['http', 'sse'] },
    headers,
    token_env: variable,
    oauth: object({ client_id: text, client_secret_env: variable, token_url: baseUrl, scope: text }, [
      'client_id',
      'client_secret_env',
      'token_url',
    ]),
    timeout_ms: milliseconds,
    tools: object({ include: texts, exclude: texts }),
    resources: flag,
    policy,
    ...audience,
  },
  ['url'],
);

const urlTool = object(
  {
    description: text,
    input_schema: { type: 'object' },
    url: baseUrl,
    headers,
    tags: texts,
    timeout_ms: milliseconds,
    idempotency: { enum: ['safe', 'unsafe'] },
    policy,
    ...audience,
  },
  ['description', 'input_schema', 'url'],
);

const search = object(
  {
    provider: { enum: ['searxng', 'brave', 'tavily', 'http'] },
    url: baseUrl,
    api_key_env: variable,
    headers,
    results: text,
    title: text,
    link: text,
    snippet: text,
    content: text,
    max_results: { type: 'integer', minimum: 1, maximum: 50 },
    timeout_ms: milliseconds,
  },
  ['provider'],
);

const secret = object(
  { env: variable, hosts: { type: 'array', minItems: 1, items: { type: 'string', format: 'host-pattern' } }, ...audience },
  ['env', 'hosts'],
);

export const TOOLS_FILE_SCHEMA = object({
  mcp_servers: byName(mcpServer, '^(?!.*__)[a-zA-Z0-9](?:[a-zA-Z0-9_-]{0,30}[a-zA-Z0-9])?$'),
  tools: byName(urlTool, '^[a-zA-Z0-9_.-]{1,64}$'),
  search,
  secrets: byName(secret, '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
});

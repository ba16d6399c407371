import { findSchemaFault, fitsAddress, isCanonicalTool } from '@codelab/tools';
import { problemAt, type Problem } from '../tell-problem.js';
import { referencesIn } from './references.js';
import type { SearchEntry, ToolsFile, UrlToolEntry } from './tools-file.js';

/** Reads an environment variable; empty counts as unset. */
export type ReadVariable = (name: string) => string | undefined;

/** What the entries refer to and isn't there, and what no schema sees. Their shapes are right already. */
export function checkEntries(file: ToolsFile, readVariable: ReadVariable): readonly Problem[] {
  const { mcp_servers: servers, tools, search, secrets } = file;
  const variable = (keys: readonly string[], name: string | undefined) =>
    name === undefined || readVariable(name) !== undefined ? [] : [problemAt(keys, `names ${name}, which is not set`)];
  const references = (keys: readonly string[], entry: Headed) => checkReferences([...keys, 'headers'], entry, { secrets, variable });
  return [
    ...Object.entries(secrets).flatMap(([name, { env }]) => variable(['secrets', name, 'env'], env)),
    ...Object.entries(servers).flatMap(([name, entry]) => [
      ...variable(['mcp_servers', name, 'token_env'], entry.token_env),
      ...variable(['mcp_servers', name, 'oauth', 'client_secret_env'], entry.oauth?.client_secret_env),
      ...(entry.oauth && entry.token_env ? [problemAt(['mcp_servers', name, 'oauth'], 'stands beside token_env: write one of them')] : []),
      ...references(['mcp_servers', name], entry),
    ]),
    ...Object.entries(tools).flatMap(([name, entry]) => [...checkTool(name, entry), ...references(['tools', name], entry)]),
    ...(search
      ? [...checkSearch(search), ...variable(['search', 'api_key_env'], search.api_key_env), ...references(['search'], search)]
      : []),
  ];
}

interface Headed {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Known {
  readonly secrets: ToolsFile['secrets'];
  readonly variable: (keys: readonly string[], name: string) => readonly Problem[];
}

function checkReferences(keys: readonly string[], { url, headers = {} }: Headed, { secrets, variable }: Known): readonly Problem[] {
  return Object.entries(headers).flatMap(([header, value]) =>
    referencesIn(value).flatMap((reference) => {
      const at = [...keys, header];
      if (reference === undefined) return [problemAt(at, "has a reference that can't be: write ${env:NAME} or ${secret:NAME}")];
      if (reference.kind === 'env') return variable(at, reference.name);
      const secret = Object.hasOwn(secrets, reference.name) ? secrets[reference.name] : undefined;
      if (secret === undefined) return [problemAt(at, `names the secret ${reference.name}, which is not there: add it to secrets`)];
      const isAllowed = url === undefined || secret.hosts.some((host) => fitsAddress(host.toLowerCase(), new URL(url)));
      return isAllowed
        ? []
        : [
            problemAt(
              at,
              `names the secret ${reference.name}, which may not go to the host and port of url: add ${new URL(url).host} to secrets.${reference.name}.hosts`,
            ),
          ];
    }),
  );
}

function checkTool(name: string, { input_schema: schema }: UrlToolEntry): readonly Problem[] {
  const fault = findSchemaFault(schema);
  const isTaken = isCanonicalTool(name) || /^(?:mcp|client)__/.test(name);
  return [
    ...(isTaken ? [problemAt(['tools', name], 'has a name that is taken: give it another one')] : []),
    ...(fault === undefined ? [] : [problemAt(['tools', name, 'input_schema'], `is no JSON Schema of an object: ${fault}`)]),
  ];
}

/** Where things stand in the answer of an endpoint that we don't know. */
const SHAPE_FIELDS = ['results', 'title', 'link', 'snippet', 'content'] as const;

function checkSearch({ provider, url, api_key_env: key, ...shape }: SearchEntry): readonly Problem[] {
  const needsUrl = provider === 'searxng' || provider === 'http';
  const needsKey = provider === 'brave' || provider === 'tavily';
  const isTemplate = url?.includes('{query}') ?? true;
  return [
    ...(needsUrl && url === undefined
      ? [
          problemAt(
            ['search', 'url'],
            `is missing: write the URL of ${provider === 'http' ? 'the endpoint, with {query}' : 'the SearXNG server'}`,
          ),
        ]
      : []),
    ...(provider === 'http' && !isTemplate ? [problemAt(['search', 'url'], 'has no {query}: write it where the words go')] : []),
    ...(needsKey && key === undefined ? [problemAt(['search', 'api_key_env'], `is missing: ${provider} wants a key`)] : []),
    ...(provider !== 'http' && SHAPE_FIELDS.some((name) => shape[name] !== undefined)
      ? [problemAt(['search', 'provider'], `answers in its own shape: ${SHAPE_FIELDS.join(', ')} are for http`)]
      : []),
  ];
}

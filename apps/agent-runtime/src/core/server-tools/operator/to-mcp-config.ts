import { referencesIn, type McpServerEntry } from '@codelab/config-file';
import type { McpServerConfig } from '@codelab/mcp';
import { fillHeader, type ReferencePorts } from './fill-header.js';

/**
 * A server of the tools file as it is connected to, with the values of its references in its headers: it goes to the manager of connections and
 * nowhere else.
 */
export function toMcpConfig(name: string, entry: McpServerEntry, ports: ReferencePorts): McpServerConfig {
  const { url, transport = 'http', headers = {}, token_env: tokenEnv, tools, timeout_ms: timeoutMs } = entry;
  const filled = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, fillHeader(value, ports)]));
  const token = tokenEnv === undefined ? undefined : ports.readVariable(tokenEnv);
  if (token !== undefined) filled['Authorization'] = `Bearer ${token}`;
  return {
    ...{ name, timeoutMs, includeTools: tools?.include, excludeTools: tools?.exclude },
    transport: { kind: transport, url, headers: filled },
  };
}

/** The values in it that are nobody's to read. */
export function secretsOf(
  { headers = {}, token_env: tokenEnv, oauth }: McpServerEntry,
  { secrets, readVariable }: ReferencePorts,
): readonly string[] {
  const references = Object.values(headers).flatMap((text) => referencesIn(text).filter((reference) => reference !== undefined));
  const names = references.map(({ kind, name }) => (kind === 'env' ? name : secrets[name]?.env));
  return [...names, tokenEnv, oauth?.client_secret_env].flatMap((name) => (name === undefined ? [] : (readVariable(name) ?? [])));
}

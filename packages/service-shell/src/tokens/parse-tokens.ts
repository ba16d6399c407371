import { createHash } from 'node:crypto';
import { ALL_SCOPES, USUAL_SCOPES, type ApiKey, type Scope } from '@codelab/auth';
import { ConfigError } from '../config/read-config.js';

const ENTRY =
  /^(?:sha256:(?<hash>[0-9a-fA-F]{64})|(?<token>[A-Za-z0-9._~-]+))=(?<tenant>[^/?,\s]+)\/(?<sub>[^?,\s]+)(?:\?scopes=(?<scopes>[a-z:+]*))?$/;

/**
 * Reads `CODELAB_TOKENS`: `token=tenant/sub` or `sha256:<hex>=tenant/sub`, comma-separated, each with all scopes but
 * `operate` unless `?scopes=llm+session` names some. Throws `ConfigError`; it names an entry by its place, never by its text.
 */
export function parseTokens(text: string): readonly ApiKey[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const problems: string[] = [];
  const entries = parts.flatMap((part, index) => {
    const parsed = parseEntry(part);
    if (typeof parsed !== 'string') return [parsed];
    problems.push(`CODELAB_TOKENS, entry ${index + 1}, ${parsed}.`);
    return [];
  });
  if (parts.length === 0)
    problems.push('CODELAB_TOKENS has no entry: write <token>=<tenant>/<sub>, or unset it to have a token generated.');
  if (problems.length > 0) throw new ConfigError(problems);
  return entries;
}

function parseEntry(part: string): ApiKey | string {
  const groups = ENTRY.exec(part)?.groups;
  if (!groups)
    return 'is not understood: write <token>=<tenant>/<sub> or sha256:<64 hex digits>=<tenant>/<sub>, the token of A-Z a-z 0-9 . _ ~ -';
  const { hash, token, tenant = '', sub = '', scopes } = groups;
  const named = scopes === undefined ? USUAL_SCOPES : scopes.split('+');
  const wrong = named.find((scope) => !(ALL_SCOPES as readonly string[]).includes(scope));
  if (wrong !== undefined) return `has an unknown scope "${wrong}": use ${ALL_SCOPES.join(', ')}, joined by +`;
  return { sha256: hash?.toLowerCase() ?? hashToken(token ?? ''), tenant, sub, scopes: named as readonly Scope[] };
}

/** Lower-case hex SHA-256 of a token: the only form in which it is kept. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

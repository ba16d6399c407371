import { DIALECT_NAMES, DIALECTS } from '@codelab/llm';
import type { Route } from '../../core/serve/route.js';

/** A route that fits a path, and what stood in the places of its placeholders. */
export interface FoundRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** What a path leads to: a route, other methods than the one asked for, or nothing. */
export type Lookup = FoundRoute | { readonly allowed: readonly string[] } | undefined;

const NO_PARAMS = {};

/** First segments that are ours also without `/v1` before them. */
const OWN = [...DIALECT_NAMES.map((name) => DIALECTS[name].path.split('/')[2]!), 'models', 'tools', 'usage', 'tool-calls'];
const ALIASES = new RegExp(`^/(?:${OWN.join('|')})(?:/|$)`);

/** The path of an endpoint as routes write it, or nothing where it belongs to somebody else (health, metrics …). */
export function canonicalPath(path: string): string | undefined {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (trimmed.startsWith('/v1/') || trimmed === '/v1') return trimmed;
  return ALIASES.test(trimmed) ? `/v1${trimmed}` : undefined;
}

/** Finds the route of a request. */
export class RouteTable {
  private readonly exact = new Map<string, Map<string, Route>>();
  private readonly patterns: { readonly pattern: RegExp; readonly route: Route }[] = [];

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      if (route.path.includes('{')) this.patterns.push({ pattern: toPattern(route.path), route });
      else this.exact.set(route.path, (this.exact.get(route.path) ?? new Map<string, Route>()).set(route.method, route));
    }
  }

  find(method: string, path: string): Lookup {
    const exact = this.exact.get(path);
    const found = exact?.get(method);
    if (found) return { route: found, params: NO_PARAMS };
    const fitting = this.patterns.flatMap(({ pattern, route }) => {
      const match = pattern.exec(path);
      return match ? [{ route, params: decoded(match.groups ?? {}) }] : [];
    });
    const allowed = [...(exact?.keys() ?? []), ...fitting.map(({ route }) => route.method)];
    return fitting.find(({ route }) => route.method === method) ?? (allowed.length > 0 ? { allowed } : undefined);
  }
}

function toPattern(path: string): RegExp {
  const source = path
    .replace(/[.]/g, '\\.')
    .replace(/\{(\w+)(\+?)\}/g, (_all, name: string, rest: string) => (rest === '' ? `(?<${name}>[^/]+)` : `(?<${name}>.+)`));
  return new RegExp(`^${source}$`);
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decode(text)]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone %: then it is meant as it stands
  }
}

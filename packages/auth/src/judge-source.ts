import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** From which pages, and by which names, a service lets itself be asked. */
export interface SourceRules {
  /** Origins of pages, such as `https://codelab.example.com`; their hosts are names of the service, too. */
  readonly origins: readonly string[];
  /** Host names of the service: `codelab.example.com`, `*.example.com` for all below, `*` for any. */
  readonly hosts: readonly string[];
}

/** The headers that say where a request comes from. */
export interface SourceHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/**
 * The name that a request asks by: that of its `Host` header, and of its target where that is absolute (`GET http://name/ HTTP/1.1`).
 * Several that differ come joined by commas, which is the name of nobody: Node's own `headers.host` is the first, whatever stands behind it.
 */
export function hostOf({ url = '', rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>): string | undefined {
  const names = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === 'host') names.add(rawHeaders[at + 1]!);
  const target = ABSOLUTE.exec(url)?.groups?.['authority'];
  if (target !== undefined) names.add(target);
  return names.size === 0 ? undefined : [...names].join(', ');
}

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/(?<authority>[^/?#]*)/i;

/** A host name or an address in brackets, and perhaps a port; whatever else stands in a `Host` header is nobody's name. */
const HOST = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::\d{1,5})?$/i;

/**
 * Whether a request may come in, as far as its source tells; else which header is wrong. Against DNS rebinding: a name that a foreign
 * resolver leads here is not one of ours, and a page under it is not our own, however the service is bound. Programs send no origin.
 */
export function judgeSource({ host, origin }: SourceHeaders, { origins, hosts }: SourceRules): 'welcome' | 'host' | 'origin' {
  if (host !== undefined && host !== '' && !isOwnName(host, hosts, origins)) return 'host';
  if (origin === undefined || origins.includes(origin)) return 'welcome';
  return parseAuthority(origin)?.host === host ? 'welcome' : 'origin';
}

/** An address needs no resolver, and no public one answers for the loopback's names or for a name without a dot. */
function isOwnName(host: string, hosts: readonly string[], origins: readonly string[]): boolean {
  if (hosts.includes('*')) return true;
  const name = HOST.exec(host)?.groups?.['name']?.toLowerCase();
  if (name === undefined) return false;
  if (isLocalHost(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || !name.includes('.')) return true;
  return hosts.some((own) => isNamed(name, own.toLowerCase())) || origins.some((own) => parseAuthority(own)?.hostname === name);
}

const isNamed = (name: string, own: string): boolean => (own.startsWith('*.') ? name.endsWith(own.slice(1)) : name === own);

/** The host of an origin, with and without its port; `undefined` for what is no origin, such as `null`. */
function parseAuthority(origin: string): { readonly host: string; readonly hostname: string } | undefined {
  try {
    const { host, hostname } = new URL(origin);
    return { host, hostname };
  } catch {
    return undefined; // the URL parser has no other way to say so
  }
}

/** Whether a host name can only mean this machine. */
const isLocalHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  hostname === '::1' ||
  /^127(\.\d+){3}$/.test(hostname);

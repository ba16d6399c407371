import type { JsonObject } from '../arguments/json.js';

/** The tool that reads pages of the web, which rules can allow host by host. */
export const WEB_FETCH = 'web.fetch';

/** The host that a call of `web.fetch` goes to, lower case; `undefined` for other tools, and where its address can't be read. */
export function hostOfCall(tool: string, { url }: JsonObject): string | undefined {
  if (tool !== WEB_FETCH || typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return (protocol === 'http:' || protocol === 'https:') && host !== '' ? host : undefined;
}

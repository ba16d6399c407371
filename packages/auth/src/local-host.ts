/** The host of an origin, with and without its port; `undefined` for what is no origin, such as `null`. */
export function parseAuthority(origin: string): { readonly host: string; readonly hostname: string } | undefined {
  try {
    const { host, hostname } = new URL(origin);
    return { host, hostname };
  } catch {
    return undefined; // the URL parser has no other way to say so
  }
}

/** Whether a host name can only mean this machine. */
export const isLocalHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  hostname === '::1' ||
  /^127(\.\d+){3}$/.test(hostname);

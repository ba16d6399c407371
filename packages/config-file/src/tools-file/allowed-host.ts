/**
 * Whether a secret may go to a URL: by its host, `*.example.com` for all below, or by `host:port`. Without a port in the entry it goes to the usual
 * ones only.
 */
export function isAllowedHost(hosts: readonly string[], url: string | URL): boolean {
  const { hostname, port } = new URL(url);
  return hosts.some((entry) => {
    const [, host = '', entryPort = ''] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (entryPort !== port) return false;
    return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
  });
}

import type { StackInfo } from '@codelab/client/local-stack';

/** What a person reads when the stack is up. */
export function describeStack({ gateways, runtimes, proxies, redis }: StackInfo, dataDir: string): string {
  const lines = [
    ...gateways.map(({ url, ws }) => `  gateway        ${url}   sessions on ${ws}/{session_id}`),
    ...runtimes.map(({ url }) => `  agent-runtime  ${url}`),
    ...proxies.map(({ url }) => `  llm-proxy      ${url}`),
    ...gateways.slice(0, 1).map(({ url }) => `  console        ${url}/   in a browser, signed in with the token`),
    `  redis          ${redis.pid === null ? withoutPassword(redis.url) : `private, data in ${dataDir}/redis`}`,
    `  token          codelab token`,
  ];
  return ['CodeLab is up.', '', ...lines, '', `Talk to it: codelab chat    Stop it: Ctrl-C`, ''].join('\n');
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//').replace(/[?].*$/, '');
}

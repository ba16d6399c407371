import { runService } from '@codelab/service-shell';
import { readProxyConfig } from '../config.js';
import { llmProxyModule } from '../llm-proxy.module.js';

/** The proxy as `main.ts` starts it, on the Redis of a test: its socket is the first argument. */
await runService({
  name: 'llm-proxy',
  version: '0.1.0',
  config: () => Object.assign(readProxyConfig(), { redisUrl: `unix:${process.argv[2]}` }),
  port: { variable: 'LLM_PROXY_PORT', of: ({ port }) => port },
  module: llmProxyModule,
});

import { runService } from '@codelab/service-shell';
import { readProxyConfig } from './config.js';
import { llmProxyModule } from './llm-proxy.module.js';

await runService({
  name: 'llm-proxy',
  version: '0.1.0',
  config: readProxyConfig,
  port: { variable: 'LLM_PROXY_PORT', of: ({ port }) => port },
  module: llmProxyModule,
});

import type { ServiceDefinition } from '@codelab/service-shell';
import { readProxyConfig, type ProxyConfig } from './config.js';
import { llmProxyModule, prepareLlmProxy } from './llm-proxy.module.js';

/** The LLM proxy as a service. */
export const llmProxyService = (config: () => ProxyConfig = readProxyConfig): ServiceDefinition<ProxyConfig> => ({
  name: 'llm-proxy',
  version: '0.1.0',
  config,
  port: { variable: 'LLM_PROXY_PORT', of: ({ port }) => port },
  module: llmProxyModule,
  prepare: prepareLlmProxy,
  nest: { bodyParser: false },
});

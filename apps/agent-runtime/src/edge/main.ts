import { runService } from '@codelab/service-shell';
import { agentRuntimeModule } from './agent-runtime.module.js';
import { readRuntimeConfig } from './config.js';

void runService({
  name: 'agent-runtime',
  version: '0.1.0',
  config: readRuntimeConfig,
  port: { variable: 'RUNTIME_PORT', of: ({ port }) => port },
  module: agentRuntimeModule,
});

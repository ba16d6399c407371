import { readConfig, runService } from '@codelab/service-shell';
import { agentRuntimeModule } from '../agent-runtime.module.js';
import { RuntimeConfig } from '../config.js';

const [redisUrl = '', egressAllow] = process.argv.slice(2);

/** The service as it is, on a Redis that a test has started. */
await runService({
  name: 'agent-runtime',
  version: '0.0.0',
  config: () => Object.assign(readConfig(RuntimeConfig, { LOG_LEVEL: 'error' }), { redisUrl, egressAllow }),
  port: { variable: 'RUNTIME_PORT', of: () => 0 },
  module: agentRuntimeModule,
});

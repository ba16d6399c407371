import { runService } from '../index.js';
import type { ExampleConfig} from './edge/config.js';
import { readExampleConfig } from './edge/config.js';

class ExampleModule {}

/** The smallest service: it waits a moment for something, then is ready. */
await runService<ExampleConfig>({
  name: 'example',
  version: '1.0.0',
  config: readExampleConfig,
  port: { variable: 'EXAMPLE_PORT', of: ({ port }) => port },
  module: ({ config, readiness, drain, logger }) => {
    const gate = readiness.gate('something');
    drain.on('finish', 'example', () => logger.info({ event: 'example.drained' }));
    setTimeout(gate.open, 500);
    if (config.fault) void Promise.reject(new Error('nobody waits for this'));
    return { module: ExampleModule };
  },
});

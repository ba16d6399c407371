import type { ServiceDefinition } from '@codelab/service-shell';
import { readGatewayConfig, type GatewayConfig } from './config.js';
import { gatewayModule, prepareGateway } from './gateway.module.js';

/** The gateway as a service. */
export const gatewayService = (config: () => GatewayConfig = readGatewayConfig): ServiceDefinition<GatewayConfig> => ({
  name: 'gateway',
  version: '0.1.0',
  config,
  port: { variable: 'GATEWAY_PORT', of: ({ port }) => port },
  module: gatewayModule,
  prepare: prepareGateway,
  nest: { bodyParser: false },
});

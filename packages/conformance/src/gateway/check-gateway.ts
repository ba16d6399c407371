import { runChecks, type CheckResult, type RunOptions } from '../run-checks.js';
import { GATEWAY_CHECKS } from './gateway-checks.js';
import { GatewayStage, type GatewayUnderTest } from './gateway-stage.js';

/** How a gateway is checked. */
export interface CheckGatewayOptions extends GatewayUnderTest, Pick<RunOptions<GatewayStage>, 'only' | 'onResult' | 'signal'> {}

/** Connects to a gateway as clients do, each check with a session of its own, and says how each ended. */
export function checkGateway({ only, onResult, signal, ...gateway }: CheckGatewayOptions): Promise<readonly CheckResult[]> {
  const url = gateway.url.replace(/\/+$/, '').replace(/\/ws$/, '');
  const stage = () => {
    const opened = new GatewayStage({ ...gateway, url });
    return Promise.resolve({ stage: opened, close: () => opened.close() });
  };
  return runChecks(GATEWAY_CHECKS, { only, onResult, signal, stage });
}

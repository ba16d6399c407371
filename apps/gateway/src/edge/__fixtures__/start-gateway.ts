import { startService, type RunningService } from '@codelab/service-shell';
import { GatewayConfig } from '../config.js';
import { gatewayService } from '../gateway-service.js';

/** A gateway in this process, on a free port, with two persons and a few narrow tokens. */
export interface TestGateway extends RunningService<GatewayConfig> {
  /** `ws://127.0.0.1:port/ws`. */
  readonly ws: string;
}

/** The tokens that every gateway of a test knows. */
export const TOKENS = [
  'alice-token=acme/alice',
  'bob-token=acme/bob',
  'narrow-token=acme/alice?scopes=session',
  'llm-token=acme/alice?scopes=llm',
  'operator-token=acme/olga?scopes=session+operate',
].join(',');

export async function startGateway(redisUrl: string, overrides: Partial<GatewayConfig> = {}): Promise<TestGateway> {
  const config = Object.assign(new GatewayConfig(), { port: 0, redisUrl, tokens: TOKENS, logLevel: 'silent', ...overrides });
  const service = await startService(gatewayService(() => config));
  return { ...service, ws: `${service.url.replace('http', 'ws')}/ws` };
}

/** Resolves with the gateway when it serves; rejects with what it still waits for after 15 s. */
export function whenReady(gateway: TestGateway): Promise<TestGateway> {
  const { readiness } = gateway.context;
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      stop();
      if (readiness.ready) resolve(gateway);
      else reject(new Error(`the gateway still waits for ${readiness.waitingFor.join(', ')}`));
    };
    const timer = setTimeout(settle, 45_000);
    const stop = readiness.onChange(settle);
    if (readiness.ready) settle();
  });
}

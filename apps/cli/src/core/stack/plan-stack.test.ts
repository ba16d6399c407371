import { expect, test } from 'vitest';
import { planStack } from './plan-stack.js';

const ports = (...words: Parameters<typeof planStack>) =>
  planStack(...words).map(({ name, portVariable, port }) => `${name} ${portVariable}=${port}`);

test('one of each takes the ports that a person can remember', () => {
  expect(ports({ gateways: 1, runtimes: 1, proxies: 1 }, {}, 'person')).toEqual([
    'gateway GATEWAY_PORT=8000',
    'agent-runtime RUNTIME_PORT=8001',
    'llm-proxy LLM_PROXY_PORT=8002',
  ]);
});

test('further replicas take free ports, a configured port goes to the first', () => {
  expect(ports({ gateways: 2, runtimes: 1, proxies: 1 }, { gatewayPort: 9000, runtimePort: 0 }, 'person')).toEqual([
    'gateway-1 GATEWAY_PORT=9000',
    'gateway-2 GATEWAY_PORT=0',
    'agent-runtime RUNTIME_PORT=0',
    'llm-proxy LLM_PROXY_PORT=8002',
  ]);
});

test('for programs every port is free, unless one is configured', () => {
  expect(ports({ gateways: 1, runtimes: 1, proxies: 1 }, { llmProxyPort: 7002 }, 'program')).toEqual([
    'gateway GATEWAY_PORT=0',
    'agent-runtime RUNTIME_PORT=0',
    'llm-proxy LLM_PROXY_PORT=7002',
  ]);
});

test('beside a chat llm-proxy is where its pages say, if nobody else is; its users read the other ports', () => {
  expect(ports({ gateways: 1, runtimes: 1, proxies: 1 }, {}, 'chat')).toEqual([
    'gateway GATEWAY_PORT=0',
    'agent-runtime RUNTIME_PORT=0',
    'llm-proxy LLM_PROXY_PORT=8002',
  ]);
  expect(planStack({ gateways: 1, runtimes: 1, proxies: 1 }, {}, 'chat')[2]).toMatchObject({ orAnyFree: true });
  expect(planStack({ gateways: 1, runtimes: 1, proxies: 1 }, { llmProxyPort: 7002 }, 'chat')[2]?.orAnyFree).toBeUndefined();
});

export type ServiceName = 'gateway' | 'agent-runtime' | 'llm-proxy';

/** One process to start. `port` 0 means any free one; whichever it gets, it keeps over restarts. */
export interface ReplicaPlan {
  readonly service: ServiceName;
  readonly name: string;
  readonly portVariable: string;
  readonly port: number;
}

export interface StackShape {
  readonly gateways: number;
  readonly runtimes: number;
  readonly proxies: number;
}

export interface PortSettings {
  readonly gatewayPort?: number | undefined;
  readonly runtimePort?: number | undefined;
  readonly llmProxyPort?: number | undefined;
}

/** Ports that a person can remember. */
const STANDARD = { gatewayPort: 8000, runtimePort: 8001, llmProxyPort: 8002 } as const;

/**
 * The processes of a stack. The first replica of a service takes the configured port, else the standard one, or any free one when
 * `freePorts`; every further replica takes any free one.
 */
export function planStack(shape: StackShape, ports: PortSettings, freePorts: boolean): readonly ReplicaPlan[] {
  const replicas = (service: ServiceName, count: number, portVariable: string, setting: keyof typeof STANDARD): ReplicaPlan[] => {
    const first = ports[setting] ?? (freePorts ? 0 : STANDARD[setting]);
    return Array.from({ length: count }, (_, index) => ({
      service,
      name: count > 1 ? `${service}-${index + 1}` : service,
      portVariable,
      port: index === 0 ? first : 0,
    }));
  };
  return [
    ...replicas('gateway', shape.gateways, 'GATEWAY_PORT', 'gatewayPort'),
    ...replicas('agent-runtime', shape.runtimes, 'RUNTIME_PORT', 'runtimePort'),
    ...replicas('llm-proxy', shape.proxies, 'LLM_PROXY_PORT', 'llmProxyPort'),
  ];
}

export type ServiceName = 'gateway' | 'agent-runtime' | 'llm-proxy';

/** One process to start. `port` 0 means any free one; whichever it gets, it keeps over restarts. `orAnyFree`: another one will do, too. */
export interface ReplicaPlan {
  readonly service: ServiceName;
  readonly name: string;
  readonly portVariable: string;
  readonly port: number;
  readonly orAnyFree?: true;
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
 * Who asks for a stack: a `person`, who remembers ports; a `program`, which reads them and may start many stacks; or a `chat`, beside which
 * programs ask llm-proxy where its pages say that it is.
 */
export type StackUser = 'person' | 'program' | 'chat';

/** The processes of a stack. The first replica of a service takes the configured port, else what its user wants; every further one any free one. */
export function planStack(shape: StackShape, ports: PortSettings, user: StackUser): readonly ReplicaPlan[] {
  const replicas = (service: ServiceName, count: number, portVariable: string, setting: keyof typeof STANDARD): ReplicaPlan[] => {
    const isWished = user === 'person' || (user === 'chat' && service === 'llm-proxy');
    const first = ports[setting] ?? (isWished ? STANDARD[setting] : 0);
    return Array.from({ length: count }, (_, index) => ({
      service,
      name: count > 1 ? `${service}-${index + 1}` : service,
      portVariable,
      port: index === 0 ? first : 0,
      orAnyFree: user === 'chat' && ports[setting] === undefined ? true : undefined,
    }));
  };
  return [
    ...replicas('gateway', shape.gateways, 'GATEWAY_PORT', 'gatewayPort'),
    ...replicas('agent-runtime', shape.runtimes, 'RUNTIME_PORT', 'runtimePort'),
    ...replicas('llm-proxy', shape.proxies, 'LLM_PROXY_PORT', 'llmProxyPort'),
  ];
}

import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import type { IEntryNestModule } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Tracing } from '@codelab/tracing';
import type { ServiceConfig } from './config/service-config.js';
import type { UnauthenticatedSockets } from './sockets/unauthenticated-sockets.js';
import type { Drain } from './lifecycle/drain.js';
import type { Readiness } from './lifecycle/readiness.js';

export interface ServiceIdentity {
  readonly name: 'gateway' | 'agent-runtime' | 'llm-proxy' | (string & {});
  readonly version: string;
}

/** What the shell gives to a service. */
export interface ServiceContext<C extends ServiceConfig = ServiceConfig> {
  readonly identity: ServiceIdentity;
  readonly config: C;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly drain: Drain;
  /** Sockets that have not authenticated: tell it of those that do. */
  readonly sockets: UnauthenticatedSockets;
  /** Absent where tracing is off. */
  readonly tracing?: Tracing;
}

/** All that differs between the services, as data. */
export interface ServiceDefinition<C extends ServiceConfig> extends ServiceIdentity {
  /** Reads and validates the environment; throws `ConfigError`. */
  readonly config: () => C;
  /** The port that the configuration asks for; 0 = any free one. `variable` is named when it is taken. */
  readonly port: { readonly variable: string; readonly of: (config: C) => number };
  /** The service's own Nest module, wired from the context. */
  readonly module: (context: ServiceContext<C>) => IEntryNestModule | Promise<IEntryNestModule>;
  /** Last touch before it listens: WebSocket adapter, body limits, Express settings. */
  readonly prepare?: (app: INestApplication, context: ServiceContext<C>) => void | Promise<void>;
  readonly nest?: NestApplicationOptions;
}

/** A service that listens. `stop` drains it and closes everything; it never rejects. */
export interface RunningService<C extends ServiceConfig = ServiceConfig> {
  readonly context: ServiceContext<C>;
  readonly app: INestApplication;
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

/** What a service tells the process that started it with an IPC channel, in this order; `failed` instead of all others. */
export type SupervisorMessage =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'ready' }
  /** `portTaken`: another program listens on the port; with another one it may go. */
  | { readonly type: 'failed'; readonly message: string; readonly portTaken?: true };

/** False when nobody started this process with a channel. */
export function toSupervisor(message: SupervisorMessage): boolean {
  if (!process.send || !process.connected) return false;
  process.send(message);
  return true;
}

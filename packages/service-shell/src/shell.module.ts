import { Controller, Get, Header, HttpCode, Inject, type DynamicModule, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Registry } from 'prom-client';
import type { Readiness } from './lifecycle/readiness.js';
import type { ServiceIdentity } from './service-definition.js';

const IDENTITY = Symbol('service identity');
const READINESS = Symbol('readiness');
const METRICS = Symbol('metrics');

/** `GET /health`: this process is alive. Says nothing about Redis; `/ready` does. */
@Controller('health')
class HealthController {
  constructor(@Inject(IDENTITY) private readonly identity: ServiceIdentity) {}

  @Get()
  health(): object {
    return { status: 'ok', service: this.identity.name, pid: process.pid, version: this.identity.version };
  }
}

/** `GET /ready`: 200 when it can work, else 503, what it waits for, and why where that is known. */
@Controller('ready')
class ReadyController {
  constructor(@Inject(READINESS) private readonly readiness: Readiness) {}

  @Get()
  ready(@Res({ passthrough: true }) response: Response): object {
    const { ready, waitingFor, reasons } = this.readiness;
    response.status(ready ? 200 : 503);
    return { ready, waiting_for: waitingFor, ...(Object.keys(reasons).length === 0 ? {} : { reasons }) };
  }
}

/** `GET /metrics`: Prometheus text. */
@Controller('metrics')
class MetricsController {
  constructor(@Inject(METRICS) private readonly registry: Registry) {}

  @Get()
  @HttpCode(200)
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.registry.metrics();
  }
}

class ShellModule {}

/** The three endpoints that every service has. */
export function shellModule(identity: ServiceIdentity, readiness: Readiness, metrics: Registry): DynamicModule {
  return {
    module: ShellModule,
    controllers: [HealthController, ReadyController, MetricsController],
    providers: [
      { provide: IDENTITY, useValue: identity },
      { provide: READINESS, useValue: readiness },
      { provide: METRICS, useValue: metrics },
    ],
  };
}

import { IsOptional } from 'class-validator';
import type { Exporting } from '@codelab/tracing';
import { LocalConfig } from './local-config.js';
import { Setting } from './setting.js';

const URL_EXPECTED = 'a URL such as http://127.0.0.1:4318';
const SCHEDULE_DELAY_MS = 5_000;
const MAX_QUEUE_SIZE = 2_048;

/**
 * Where traces go: the standard variables of OpenTelemetry, which other programs of the machine may be meant by as well. So a value that
 * isn't for us is no reason not to start: nothing is traced then, and the log says why.
 */
export class TracedConfig extends LocalConfig {
  @Setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'The OpenTelemetry collector that traces are sent to, by HTTP; `/v1/traces` is added. Unset: nothing is traced.',
    expects: URL_EXPECTED,
  })
  @IsOptional()
  otlpEndpoint?: string;

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    meaning: 'The same for traces alone, with its path.',
    expects: 'a URL such as http://127.0.0.1:4318/v1/traces',
  })
  @IsOptional()
  otlpTracesEndpoint?: string;

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    meaning: 'Headers for the collector, such as its key: `name=value`, comma-separated, values percent-encoded.',
    expects: 'entries such as api-key=<key>',
    secret: true,
  })
  @IsOptional()
  otlpHeaders?: string;

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    meaning: 'How spans are written: `http/protobuf` or `http/json`. gRPC is not spoken.',
    expects: 'http/protobuf or http/json',
  })
  otlpProtocol: string = 'http/protobuf';

  @Setting({
    env: 'OTEL_TRACES_EXPORTER',
    meaning: 'Where spans go: `otlp`, `console` (standard output) or `none`.',
    expects: 'otlp, console or none',
  })
  tracesExporter: string = 'otlp';

  @Setting({
    env: 'OTEL_TRACES_SAMPLER',
    meaning:
      'Which traces are recorded: `always_on`, `always_off`, `traceidratio`, or one of them behind `parentbased_`, where whoever asked decides.',
    expects: 'a name such as parentbased_traceidratio',
  })
  tracesSampler: string = 'parentbased_always_on';

  @Setting({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    meaning: 'Of `traceidratio`: the share of traces, from 0 to 1.',
    expects: 'a number from 0 to 1',
    defaultText: '1',
  })
  @IsOptional()
  tracesSamplerArgument?: string;

  @Setting({
    env: 'OTEL_SERVICE_NAME',
    meaning: 'The name of the service in traces, instead of its own. `OTEL_RESOURCE_ATTRIBUTES` is read, too.',
    expects: 'a name',
    defaultText: 'codelab-gateway and so on',
  })
  @IsOptional()
  otelServiceName?: string;

  @Setting({
    env: 'OTEL_BSP_SCHEDULE_DELAY',
    meaning: 'How long spans are collected before they are sent.',
    expects: 'a number',
    unit: 'ms',
  })
  spanDelayMs: number = SCHEDULE_DELAY_MS;

  @Setting({
    env: 'OTEL_BSP_MAX_QUEUE_SIZE',
    meaning: 'How many spans wait at most to be sent; more are dropped, and the log says so.',
    expects: 'a number',
  })
  maxWaitingSpans: number = MAX_QUEUE_SIZE;

  @Setting({ env: 'OTEL_SDK_DISABLED', meaning: '`true`: nothing is traced, whatever else is set.', expects: 'true or false' })
  otelDisabled: boolean = false;

  /** Where spans go. */
  get exporting(): Exporting {
    return {
      isDisabled: this.otelDisabled === true,
      exporter: this.tracesExporter,
      endpoint: this.otlpTracesEndpoint ?? this.otlpEndpoint,
      protocol: this.otlpProtocol,
      headers: this.otlpHeaders,
      sampler: this.tracesSampler,
      samplerArgument: this.tracesSamplerArgument,
      scheduledDelayMs: this.spanDelayMs > 0 ? this.spanDelayMs : SCHEDULE_DELAY_MS,
      maxQueueSize: this.maxWaitingSpans > 0 ? this.maxWaitingSpans : MAX_QUEUE_SIZE,
    };
  }
}

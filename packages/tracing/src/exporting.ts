/** Where spans go, as the standard variables of OpenTelemetry say it. `OTEL_RESOURCE_ATTRIBUTES` and the like the SDK reads by itself. */
export interface Exporting {
  /** `OTEL_SDK_DISABLED`. */
  readonly isDisabled: boolean;
  /** `OTEL_TRACES_EXPORTER`: `otlp`, `console` or `none`. */
  readonly exporter: string;
  /** `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or `OTEL_EXPORTER_OTLP_ENDPOINT`; the SDK reads it, too. */
  readonly endpoint?: string;
  /** `OTEL_EXPORTER_OTLP_PROTOCOL`: `http/protobuf` or `http/json`. */
  readonly protocol: string;
  /** `OTEL_EXPORTER_OTLP_HEADERS`. */
  readonly headers?: string;
  /** `OTEL_TRACES_SAMPLER`. */
  readonly sampler: string;
  /** `OTEL_TRACES_SAMPLER_ARG`. */
  readonly samplerArgument?: string;
  /** `OTEL_BSP_SCHEDULE_DELAY`, in milliseconds. */
  readonly scheduledDelayMs: number;
  /** `OTEL_BSP_MAX_QUEUE_SIZE`, in spans. */
  readonly maxQueueSize: number;
}

/** The program whose spans they are. */
export interface TracedProgram {
  /** Unless `OTEL_SERVICE_NAME` says otherwise. */
  readonly name: string;
  readonly version: string;
}

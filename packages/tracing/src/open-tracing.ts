import type { Exporting, TracedProgram } from './exporting.js';
import type { Tracing } from './tracing.js';

const EXPORTERS = new Set(['otlp', 'console', 'none']);
const PROTOCOLS = new Set(['http/protobuf', 'http/json']);
const SAMPLER = /^(?:parentbased_)?(?:always_on|always_off|traceidratio)$/;

/**
 * Tracing as it is set, or `undefined` where it is off: without an endpoint, where it is disabled, and where it is set to something that we
 * don't speak. The SDK is loaded here and nowhere else, so a process that doesn't trace never reads it.
 *
 * @param tell told why nothing is traced though it seems to be wanted, and of spans that could not be sent; never of what they hold
 */
export async function openTracing(
  program: TracedProgram,
  exporting: Exporting,
  tell: (message: string) => void,
): Promise<Tracing | undefined> {
  const { isDisabled, exporter, endpoint } = exporting;
  if (isDisabled || exporter === 'none' || (exporter === 'otlp' && endpoint === undefined)) return undefined;
  const fault = faultOf(exporting);
  if (fault !== undefined) {
    tell(`nothing is traced: ${fault}`);
    return undefined;
  }
  const { createTracing } = await import('@codelab/tracing/otel');
  return createTracing(program, exporting, tell);
}

function faultOf({ exporter, endpoint, protocol, sampler, samplerArgument }: Exporting): string | undefined {
  if (!EXPORTERS.has(exporter)) return `OTEL_TRACES_EXPORTER is ${exporter}: set it to otlp, console or none`;
  if (!PROTOCOLS.has(protocol)) return `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}: set it to http/protobuf or http/json`;
  if (!SAMPLER.test(sampler)) return `OTEL_TRACES_SAMPLER is ${sampler}: set it to a sampler such as parentbased_traceidratio`;
  if (sampler.endsWith('traceidratio') && samplerArgument !== undefined && !isShare(samplerArgument))
    return `OTEL_TRACES_SAMPLER_ARG is ${samplerArgument}: set it to the share of traces, from 0 to 1`;
  if (exporter === 'otlp' && !URL.canParse(endpoint ?? ''))
    return 'OTEL_EXPORTER_OTLP_ENDPOINT is no URL: set it to one such as http://127.0.0.1:4318';
  return undefined;
}

/** `Number` takes more than the variable means: nothing at all, hexadecimal digits. */
const isShare = (text: string): boolean => /^[0-9.]+(?:e-?[0-9]+)?$/i.test(text) && Number(text) >= 0 && Number(text) <= 1;

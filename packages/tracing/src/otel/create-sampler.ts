import { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, type Sampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';

/** The sampler that `OTEL_TRACES_SAMPLER` names; all of them decide by the trace's id or parent, so every process decides alike. */
export function createSampler(name: string, argument?: string): Sampler {
  const root = createRoot(name.replace(/^parentbased_/, ''), argument);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function createRoot(name: string, argument?: string): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(argument === undefined ? 1 : Number(argument));
  return new AlwaysOnSampler();
}

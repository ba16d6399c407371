import { parser } from '@prometheus-io/lezer-promql';

/** What an expression asks for. */
export interface PromQuery {
  readonly metrics: readonly string[];
  /** Labels that it selects or groups by. */
  readonly labels: readonly string[];
}

/** Reads a PromQL expression with Prometheus' own grammar. Throws where it is none. */
export function readPromQl(expression: string): PromQuery {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  parser.parse(expression).iterate({
    enter: ({ name, from, to, type }) => {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`no PromQL at ${from}: ${expression}`);
      if (name === 'Identifier') metrics.add(text);
      if (name === 'LabelName') labels.add(text);
    },
  });
  return { metrics: [...metrics], labels: [...labels] };
}

import type { RuleOptions, RuleOptionsByWords } from './rule-options.js';

const docker = (options: Omit<RuleOptions, 'style' | 'operands'>): RuleOptions => ({ style: 'joined', operands: 'names', ...options });

export const DOCKER: RuleOptionsByWords = [
  [
    [/^docker$/, /^compose$/, /^(ps|logs|down|stop)$/],
    docker({
      flags: 'a d q t all detach quiet services no-trunc no-color no-log-prefix timestamps remove-orphans',
      texts: 'n tail since until timeout status',
    }),
  ],
  [[/^docker$/, /^ps$/], docker({ flags: 'a l q s all latest no-trunc quiet size', texts: 'f n filter last format' })],
  [[/^docker$/, /^logs$/], docker({ flags: 'f t details follow timestamps', texts: 'n tail since until' })],
  [[/^docker$/, /^images$/], docker({ flags: 'a q all digests no-trunc quiet tree', texts: 'f filter format' })],
];

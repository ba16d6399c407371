import { openUpstreams, type UpstreamConfig } from '../open-upstreams.js';
import type { Timeouts } from '../transport/deadlines.js';
import type { Upstream } from '../upstream.js';

export const TIMEOUTS: Timeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 10_000 };

/** One upstream that is configured as the environment would, but for `config`. */
export function openUpstream(config: Partial<UpstreamConfig> & Pick<UpstreamConfig, 'type' | 'baseUrl'>): Upstream {
  const prefix = config.type.toUpperCase();
  const [upstream] = openUpstreams([
    {
      ...{ name: config.type, timeouts: TIMEOUTS, quirks: {} },
      settings: { baseUrl: `${prefix}_BASE_URL`, apiKey: `${prefix}_API_KEY` },
      ...config,
    },
  ]).configured;
  if (!upstream) throw new Error('no upstream was opened');
  return upstream;
}

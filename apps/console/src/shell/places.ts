import type { IconName } from '../parts/icons.js';

/** A page that the navigation leads to. */
export interface Place {
  /** First part of its path. Never one that the gateway itself answers: `api`, `console`, `health`, `metrics`, `ready`, `ws`, `assets`. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** What it is for, in a few words. */
  readonly about: string;
  /** At the bottom of a phone; the others stand behind "More". */
  readonly near?: true;
}

/** Every page, by what people come for. */
export const PLACES: readonly { readonly label: string; readonly places: readonly Place[] }[] = [
  {
    label: 'Work',
    places: [
      { path: 'sessions', label: 'Sessions', icon: 'sessions', about: 'Conversations and what they do now', near: true },
      { path: 'approvals', label: 'Approvals', icon: 'approvals', about: 'Calls that wait for a decision', near: true },
    ],
  },
  {
    label: 'Control',
    places: [
      { path: 'rules', label: 'Rules', icon: 'rules', about: 'What is allowed, asked and denied without you' },
      { path: 'audit', label: 'Audit', icon: 'audit', about: 'Who decided what' },
      { path: 'tools', label: 'Tools & MCP', icon: 'tools', about: 'What agents can call, and where it comes from' },
    ],
  },
  {
    label: 'Insight',
    places: [
      { path: 'tool-calls', label: 'Tool calls', icon: 'calls', about: 'Each call: how long it took and how it ended' },
      { path: 'usage', label: 'Usage', icon: 'usage', about: 'Tokens and cost by day, model and key', near: true },
      { path: 'services', label: 'Health', icon: 'health', about: 'Services, queues and latencies' },
      { path: 'settings', label: 'Settings', icon: 'settings', about: 'What the services run with' },
    ],
  },
];

export const ALL_PLACES: readonly Place[] = PLACES.flatMap(({ places }) => places);

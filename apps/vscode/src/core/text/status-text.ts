import type { SessionView } from '@codelab/client/view';

/** What the status bar says of a session. */
export interface StatusText {
  /** With the editor's icons. */
  readonly text: string;
  /** Plain lines. */
  readonly tooltip: string;
  readonly tone: 'plain' | 'warning' | 'error';
}

/** Why there is no session. */
export interface NoSession {
  readonly why: 'closed' | 'connecting' | 'failed' | 'missing';
  readonly message?: string;
}

const shorten = (tokens: number): string => (tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0)}k`);

/** The state, the model, how full its context is and what the session has cost. */
export function statusText(view: SessionView | NoSession): StatusText {
  if ('why' in view) return { text: ICONS[view.why], tooltip: view.message ?? 'CodeLab: open the chat', tone: toneOf(view.why) };
  const { usage } = view;
  const full = usage.context_tokens !== undefined && usage.context_window ? (100 * usage.context_tokens) / usage.context_window : undefined;
  const parts = [
    view.model,
    full === undefined ? undefined : `${full.toFixed(0)}%`,
    usage.cost_usd === undefined ? undefined : `$${usage.cost_usd.toFixed(2)}`,
  ].filter((part) => part !== undefined && part !== '');
  const { icon, words, tone } = stateOf(view);
  const lines = [
    `CodeLab: ${words}`,
    `Model: ${view.model ?? 'the one of the services'}`,
    ...(full === undefined ? [] : [`Context: ${full.toFixed(0)}% of ${shorten(usage.context_window ?? 0)} tokens`]),
    `Tokens: ${shorten(usage.input_tokens)} in, ${shorten(usage.output_tokens)} out`,
  ];
  return { text: [icon, 'CodeLab', ...parts].join(' '), tooltip: lines.join('\n'), tone };
}

const ICONS = {
  closed: '$(comment-discussion) CodeLab',
  connecting: '$(sync~spin) CodeLab',
  failed: '$(error) CodeLab',
  missing: '$(circle-slash) CodeLab',
} as const;

const toneOf = (why: NoSession['why']): StatusText['tone'] => (why === 'failed' ? 'error' : 'plain');

function stateOf(view: SessionView): { readonly icon: string; readonly words: string; readonly tone: StatusText['tone'] } {
  const waits = view.items.some((item) => item.kind === 'call' && item.progress === 'waiting');
  if (view.link === 'closed') return { icon: '$(error)', words: 'the connection is over', tone: 'error' };
  if (view.link === 'lost') return { icon: '$(sync~spin)', words: 'looks for the gateway', tone: 'warning' };
  if (view.link === 'connecting') return { icon: '$(sync~spin)', words: 'connects', tone: 'plain' };
  if (waits) return { icon: '$(bell-dot)', words: 'waits for your decision', tone: 'warning' };
  if (view.turn !== undefined) return { icon: '$(loading~spin)', words: view.activity === 'idle' ? 'works' : view.activity, tone: 'plain' };
  return { icon: '$(check)', words: view.executor === 'other' ? 'another client executes' : 'ready', tone: 'plain' };
}

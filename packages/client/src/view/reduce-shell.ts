import type { SessionView, ShellItem } from './session-view.js';
import { appendItem, updateItem } from './update-items.js';

/** Characters of what a command printed that are kept: the last ones. */
const MAX_SHELL_CHARACTERS = 16_000;

/** A command of the user on this machine: it begins, prints, ends. */
export type ShellEvent =
  | { readonly kind: 'shell_started'; readonly id: string; readonly command: string }
  | { readonly kind: 'shell_printed'; readonly id: string; readonly data: string }
  /** `code`: null where a signal ended it. */
  | { readonly kind: 'shell_ended'; readonly id: string; readonly code: number | null };

export function onShell(view: SessionView, event: ShellEvent & { readonly atMs: number }): SessionView {
  const { id, atMs } = event;
  if (event.kind === 'shell_started')
    return appendItem(view, { kind: 'shell', id, command: event.command, startedAtMs: atMs, tail: '', cut: false });
  const change = (item: ShellItem): ShellItem => {
    if (event.kind === 'shell_ended') return { ...item, ended: { code: event.code, atMs } };
    const text = item.tail + event.data;
    return { ...item, tail: text.slice(-MAX_SHELL_CHARACTERS), cut: item.cut || text.length > MAX_SHELL_CHARACTERS };
  };
  return updateItem(view, `shell:${id}`, (item) => (item.kind === 'shell' ? change(item) : item));
}

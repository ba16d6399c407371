import { PLAN_TOOL } from '@codelab/tools';
import { toolTitle } from '@codelab/tools/human';
import type { ChatEffect, ChatState } from './chat-state.js';

/** A turn that takes longer is one that people leave alone. */
const LONG_TURN_MS = 10_000;

/** What somebody who looks elsewhere should hear of: something waits for an answer, or a long turn has ended. */
export function noticesOf(before: ChatState, after: ChatState, atMs: number): readonly Extract<ChatEffect, { kind: 'notify' }>[] {
  const isAway = after.focused !== true;
  if (after.asked.length > before.asked.length) return [{ kind: 'notify', text: textOfAsked(after), isAway }];
  const { turn } = before.view;
  if (!turn || after.view.turn || turn.cancelling || atMs - turn.startedAtMs <= LONG_TURN_MS) return [];
  const end = after.view.items.findLast((item) => item.kind === 'turn_end');
  if (end?.turnId !== turn.turnId) return [];
  return [{ kind: 'notify', text: end.status === 'completed' ? 'The turn has ended' : `The turn ended: ${end.status}`, isAway }];
}

function textOfAsked({ asked }: ChatState): string {
  const last = asked.at(-1);
  if (last?.kind === 'approval')
    return last.call.toolName === PLAN_TOOL.name ? 'A plan waits for you' : `${toolTitle(last.call.toolName)} waits for you`;
  return last?.kind === 'review' ? 'A review waits for you' : 'A question waits for you';
}

/** What is known of the terminal, as its variables say. */
export interface TerminalKind {
  readonly term?: string;
  readonly termProgram?: string;
  readonly vteVersion?: string;
  readonly tmux?: string;
}

/** Programs that show a notification for OSC 9, as iTerm2 has begun it. */
const OSC_9: ReadonlySet<string> = new Set(['iTerm.app', 'WezTerm', 'ghostty', 'WarpTerminal', 'kitty']);

/**
 * The characters that tell the user: a notification where the terminal is known to show one (OSC 9 or 777), else the bell, which every
 * terminal and tmux pass on as people have set it.
 */
export function toNotification(text: string, { term = '', termProgram = '', vteVersion, tmux }: TerminalKind): string {
  const plain = text.replaceAll(/[^ -~]|;/g, ' ').slice(0, 100); // control characters would end it
  if (tmux !== undefined) return BELL;
  if (OSC_9.has(termProgram) || term === 'xterm-kitty') return `\x1b]9;CodeLab: ${plain}\x07`;
  if (vteVersion !== undefined || term.startsWith('foot') || term.startsWith('rxvt')) return `\x1b]777;notify;CodeLab;${plain}\x07`;
  return BELL;
}

const BELL = '\x07';

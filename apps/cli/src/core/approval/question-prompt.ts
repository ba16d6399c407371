import type { Key } from '../input/key.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import { sanitiseLine } from '@codelab/tools/human';
import { wrapSpans } from '../text/wrap-spans.js';
import { QUESTION_PANEL, inPanel, keyRow, panelText } from './panel.js';

/** A `prompt_user` that waits: the model asks, the user picks one of the actions that the model offers. */
export interface QuestionPrompt {
  readonly callId: string;
  readonly message: string;
  readonly actions: readonly string[];
  readonly selected: number;
}

export type QuestionStep =
  | { readonly kind: 'prompt'; readonly prompt: QuestionPrompt }
  | { readonly kind: 'answer'; readonly action: string }
  | { readonly kind: 'decline' };

/** What a key does to a question: arrows or digits move, Enter answers, Escape declines to. */
export function stepQuestion(prompt: QuestionPrompt, key: Key): QuestionStep {
  const count = prompt.actions.length;
  const moveTo = (selected: number): QuestionStep => ({ kind: 'prompt', prompt: { ...prompt, selected: (selected + count) % count } });
  if (key.kind === 'text') {
    const digit = Number(key.text);
    return digit >= 1 && digit <= count ? moveTo(digit - 1) : { kind: 'prompt', prompt };
  }
  if (key.kind !== 'named') return { kind: 'prompt', prompt };
  if (key.name === 'up') return moveTo(prompt.selected - 1);
  if (key.name === 'down') return moveTo(prompt.selected + 1);
  if (key.name === 'escape') return { kind: 'decline' };
  return key.name === 'enter' ? { kind: 'answer', action: prompt.actions[prompt.selected]! } : { kind: 'prompt', prompt };
}

/** Rows of a model's question that are shown. */
const MAX_ROWS = 12;

/** Draws a question of the model. It says that the model asks, and looks like no approval. */
export function renderQuestion(prompt: QuestionPrompt, width: number): readonly Line[] {
  const inner = width - 2;
  const message = wrapSpans([span(prompt.message)], { width: inner - 2, first: [span('  ')] });
  const shown = message.length > MAX_ROWS ? [...message.slice(0, MAX_ROWS - 1), [span('  ⋯', 'muted')]] : message;
  const actions = prompt.actions.flatMap((action, index) => {
    const picked = index === prompt.selected;
    const first = [span(picked ? '  ▸ ' : '    ', 'question'), span(`${index + 1}  `, 'muted')];
    return wrapSpans([span(`“${sanitiseLine(action, 200)}”`, picked ? 'strong' : 'plain')], {
      width: inner,
      first,
      rest: [span('       ')],
    });
  });
  const keys = keyRow([
    ['↑↓', 'choose'],
    ['Enter', 'answer the model'],
    ['Esc', 'decline'],
  ]);
  return inPanel(QUESTION_PANEL, [[span('The model asks:', 'question')], ...shown, [], ...actions, [], ...panelText(keys, inner)]);
}

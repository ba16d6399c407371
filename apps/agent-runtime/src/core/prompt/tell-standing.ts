import type { Marks } from '@codelab/vocabularies';
import type { StepBuilder } from '../turn/step-builder.js';

/**
 * Behind a summary: what the session knows by itself of where the work stands, whatever the summary made of it. Nothing is said where everything is
 * as at the beginning.
 */
export function tellStanding(builder: StepBuilder): void {
  const { marks } = builder.state;
  const lines = marks === undefined || builder.context.facts.program !== undefined ? [] : standing(marks);
  if (lines.length > 0) builder.remember({ role: 'note', content: ['As it stands now:', ...lines].join('\n'), at_ms: builder.nowMs });
}

const standing = ({ todos, cwd, cursors }: Marks): readonly string[] => {
  const isOpen = todos.some(({ status }) => status !== 'completed');
  const processes = Object.keys(cursors);
  return [
    ...(isOpen ? ['Your task list:', ...todos.map(({ status, content }) => `- ${status}: ${content}`)] : []),
    ...(cwd === '' ? [] : [`Commands run in ${cwd}.`]),
    ...(processes.length === 0 ? [] : [`Started in the background: ${processes.join(', ')}.`]),
  ];
};

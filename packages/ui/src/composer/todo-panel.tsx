import { useState } from 'react';
import type { Todo } from '@codelab/client/view';
import { sanitiseLine } from '@codelab/tools/human';
import { useSession } from '../port/session-context.js';
import { SafeText } from '../text/safe-text.js';
import { CheckIcon, ChevronIcon } from '../text/icons.js';

const WORDS: Readonly<Record<Todo['status'], string>> = { open: 'open', active: 'in work', done: 'done' };

/** The agent's task list, around what is being done; nothing once all of it is done. */
export function TodoPanel() {
  const todos = useSession((view) => view.todos);
  const [isOpen, setIsOpen] = useState(false);
  const done = todos.filter(({ status }) => status === 'done').length;
  if (done === todos.length) return null;
  const next = todos.find(({ status }) => status === 'active') ?? todos.find(({ status }) => status === 'open');
  return (
    <section className="cl-panel cl-todos" aria-label="Tasks">
      <button type="button" className="cl-fold cl-todos__head" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <ChevronIcon />
        <span className="cl-todos__next">{next === undefined ? 'Tasks' : sanitiseLine(next.content, 200)}</span>
        <span className="cl-todos__count">
          {done} of {todos.length}
          <span className="cl-hidden"> tasks done</span>
        </span>
        <progress className="cl-hidden" value={done} max={todos.length} aria-label="Tasks done" />
      </button>
      {isOpen && (
        <ol className="cl-todos__list">
          {todos.map(({ content, status }, index) => (
            <li key={index} className={`cl-todo cl-todo--${status}`}>
              <span className="cl-todo__mark">{status === 'done' && <CheckIcon />}</span>
              <span className="cl-hidden">{WORDS[status]}: </span>
              <span>
                <SafeText text={content} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

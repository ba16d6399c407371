import { useId, type ReactNode } from 'react';
import { SafeText } from '../text/safe-text.js';

interface FrameProps {
  /** Who asks: `The model asks`. */
  readonly who: string;
  readonly message: string;
  readonly children: ReactNode;
}

/** A question of a model or a server. It looks like no approval: it never says that something is allowed. */
export function QuestionFrame({ who, message, children }: FrameProps) {
  const id = useId();
  return (
    <section className="cl-question" aria-labelledby={id}>
      <h3 id={id} className="cl-question-who">
        <SafeText text={who} />
      </h3>
      {message !== '' && (
        <p className="cl-question-message">
          <SafeText text={message} />
        </p>
      )}
      {children}
    </section>
  );
}

import { useState, type FormEvent, type KeyboardEvent } from 'react';

interface RejectFormProps {
  readonly isBusy: boolean;
  readonly onReject: (words: string) => void;
  readonly onBack: () => void;
}

/** Rejects with words for the model, or without. Ctrl-Enter sends; Enter is a new line. */
export function RejectForm({ isBusy, onReject, onBack }: RejectFormProps) {
  const [words, setWords] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy) onReject(words.trim());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onBack();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
    else return;
    event.stopPropagation();
  };
  return (
    <form onSubmit={submit}>
      <textarea
        className="cl-words"
        aria-label="Why not? The model reads it"
        placeholder="Why not, and what instead? The model reads it."
        rows={2}
        maxLength={10_000}
        autoFocus
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className="cl-actions">
        <button type="submit" className="cl-button cl-button--bad" disabled={isBusy}>
          {words.trim() === '' ? 'Reject' : 'Reject with these words'}
        </button>
        <button type="button" className="cl-button cl-button--plain" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  );
}

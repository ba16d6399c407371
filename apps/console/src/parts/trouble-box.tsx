import type { Trouble } from '../rest/ask.js';

/** Says what was wrong and what to do; `onRetry` where asking again makes sense at once. */
export function TroubleBox({ trouble, onRetry }: { trouble: Trouble; onRetry?: () => void }) {
  return (
    <div className="co-trouble" role="alert">
      <p>
        <strong>{trouble.message}</strong> {trouble.advice}
      </p>
      {trouble.code !== '' && <code className="co-faint">{trouble.status === 0 ? trouble.code : `${trouble.status} ${trouble.code}`}</code>}
      {onRetry && (
        <button type="button" className="cl-button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

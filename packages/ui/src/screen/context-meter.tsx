import { formatCount } from '@codelab/client/view';
import { useSession } from '../port/session-context.js';
import { Explained } from './explained.js';

/** From here on the window is nearly full. */
const NEARLY_FULL = 0.8;
const RADIUS = 6;
const AROUND = 2 * Math.PI * RADIUS;

/** How full the window of the model is. */
export function ContextMeter() {
  const used = useSession(({ usage }) => usage.context_tokens);
  const size = useSession(({ usage }) => usage.context_window);
  if (used === undefined) return null;
  const part = size === undefined || size === 0 ? undefined : Math.min(1, used / size);
  const percent = part === undefined ? undefined : `${Math.round(100 * part)}%`;
  const label = `Context: ${formatCount(used)} tokens${size === undefined ? '' : ` of ${formatCount(size)}, ${percent}`}`;
  const isFull = part !== undefined && part >= NEARLY_FULL;
  return (
    <Explained
      label={label}
      face={
        <span className={isFull ? 'cl-meter cl-meter--full' : 'cl-meter'}>
          {part !== undefined && (
            <svg className="cl-meter__ring" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <circle cx="8" cy="8" r={RADIUS} className="cl-meter__all" />
              <circle cx="8" cy="8" r={RADIUS} className="cl-meter__used" strokeDasharray={`${AROUND * part} ${AROUND}`} />
            </svg>
          )}
          {percent ?? formatCount(used)}
        </span>
      }
    >
      <p>
        <strong>{label}</strong>
      </p>
      <p>
        So much the model read with its last request: instructions, tools, and the conversation so far. When the window is nearly full, what
        is older is summed up by itself; <code>/compact</code> does it now, <code>/clear</code> lets the model forget. Nothing of it is
        deleted here.
      </p>
    </Explained>
  );
}

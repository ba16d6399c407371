import { describeActivity } from '@codelab/client/view';
import { useNow } from '../hooks/use-now.js';
import { useSession } from '../port/session-context.js';
import { SafeText } from '../text/safe-text.js';
import { SpinnerIcon } from '../text/icons.js';

/** What goes on while nothing else moves: thinking, writing a call, waiting for a provider until it is asked again. */
export function Activity() {
  const isRunning = useSession((view) => view.turn !== undefined);
  const now = useNow(isRunning);
  const activity = useSession(
    (view) => describeActivity(view, now),
    (one, other) => one?.text === other?.text && one?.tone === other?.tone,
  );
  if (activity === undefined) return null;
  return (
    <p className={`cl-activity cl-activity--${activity.tone}`}>
      <SpinnerIcon />
      <SafeText text={activity.text} />
    </p>
  );
}

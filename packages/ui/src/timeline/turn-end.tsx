import { formatDuration, usageParts, type TurnEndItem } from '@codelab/client/view';
import { sanitiseLine } from '@codelab/tools/human';
import { SafeText } from '../text/safe-text.js';
import { CrossIcon, SkipIcon } from '../text/icons.js';

/** How a turn ended, how long it took and what it cost. */
export function TurnEnd({ item }: { readonly item: TurnEndItem }) {
  const { status, error, elapsedMs, usage, model } = item;
  const facts = [...(elapsedMs === undefined ? [] : [formatDuration(elapsedMs)]), ...usageParts(usage)].join(' · ');
  return (
    <div className={`cl-end cl-end--${status}`}>
      {status === 'cancelled' && (
        <p className="cl-end__what">
          <SkipIcon /> Stopped
        </p>
      )}
      {status === 'failed' && (
        <p className="cl-end__what">
          <CrossIcon />
          <span>
            <strong>The turn failed.</strong> {error && <SafeText text={error.message} />}{' '}
            {error && <span className="cl-code-name-plain">{sanitiseLine(error.code, 64)}</span>}
            <span className="cl-end__way">{wayOut(error?.code)}</span>
          </span>
        </p>
      )}
      {facts !== '' && (
        <p className="cl-end__facts" title={`Answered by ${sanitiseLine(model, 80)}`}>
          {facts}
        </p>
      )}
    </div>
  );
}

/** What people can do, by the code of the error. */
const WAYS: Readonly<Record<string, string>> = {
  RATE_LIMITED: 'Wait a moment, then send a message to go on; or choose another model.',
  UNAVAILABLE: 'Send a message to try again; or choose another model.',
  TURN_FAILED: 'Send a message to try again; or choose another model.',
  INTERNAL: 'Send a message to try again. Whoever runs the servers finds the fault in their log.',
};

const wayOut = (code: string | undefined): string =>
  code !== undefined && Object.hasOwn(WAYS, code) ? WAYS[code]! : 'Send a message to go on.';

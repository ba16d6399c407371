import { formatDuration, formatSeconds, type ShellItem } from '@codelab/client/view';
import { OutputTail } from '../calls/output-tail.js';
import { useNow } from '../hooks/use-now.js';
import { SafeText } from '../text/safe-text.js';
import { SpinnerIcon, TerminalIcon } from '../text/icons.js';

/** Lines of its output: while it runs, and once it has ended. */
const LIVE_LINES = 12;
const LINES = 40;

/** A command that the user ran by their own will. */
export function ShellCard({ item: { command, tail, cut, ended, startedAtMs } }: { readonly item: ShellItem }) {
  const now = useNow(!ended);
  const how = ended === undefined ? 'runs' : ended.code === null ? 'ended by a signal' : `exit ${ended.code}`;
  const took = ended ? formatDuration(ended.atMs - startedAtMs) : formatSeconds(now - startedAtMs);
  return (
    <div className="cl-shell">
      <p className="cl-shell__command">
        {ended ? <TerminalIcon /> : <SpinnerIcon />}
        <code>
          <SafeText text={command} />
        </code>
      </p>
      <OutputTail tail={tail} lines={ended ? LINES : LIVE_LINES} cut={cut} />
      <p className={ended && ended.code !== 0 ? 'cl-shell__end cl-bad' : 'cl-shell__end'}>
        {how} · {took}
        {ended && <span className="cl-faint"> · the model reads it with your next message</span>}
      </p>
    </div>
  );
}

import { useFacts, useSession } from '../port/session-context.js';
import { SafeText } from '../text/safe-text.js';
import { InfoIcon, WarningIcon } from '../text/icons.js';

/** What people should know before they write: nothing can run, the connection is gone, the host has trouble. */
export function Banners() {
  const link = useSession((view) => view.link);
  const executor = useSession((view) => view.executor);
  const trouble = useFacts((facts) => facts.trouble);
  return (
    <div className="cl-banners" role="status">
      {trouble && (
        <div className="cl-banner cl-banner--bad">
          <WarningIcon />
          <p>
            <SafeText text={trouble.message} />
          </p>
          {trouble.action && (
            <button type="button" className="cl-button" onClick={() => trouble.action?.run()}>
              {trouble.action.label}
            </button>
          )}
        </div>
      )}
      {link === 'lost' && (
        <div className="cl-banner cl-banner--warn">
          <WarningIcon />
          <p>The connection is lost. It is tried again by itself; what the turn does meanwhile comes then.</p>
        </div>
      )}
      {link === 'open' && executor === 'none' && (
        <div className="cl-banner cl-banner--info">
          <InfoIcon />
          <p>
            <strong>No executor is connected: nothing can run.</strong> Open the workspace in VS Code, or start <code>codelab chat</code> in
            it. You can read, write messages and decide; calls wait.
          </p>
        </div>
      )}
    </div>
  );
}

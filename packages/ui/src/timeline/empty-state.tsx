import { useFacts, useSession } from '../port/session-context.js';

/** What stands where nothing was said yet. */
export function EmptyState() {
  const link = useSession((view) => view.link);
  const hasCommands = useFacts(({ commands }) => commands !== undefined && commands.length > 0);
  if (link === 'connecting')
    return (
      <div className="cl-empty" role="status">
        <p className="cl-empty__hint">Connecting …</p>
      </div>
    );
  return (
    <div className="cl-empty">
      <h2 className="cl-empty__title">What should be done?</h2>
      <p className="cl-empty__hint">
        Say it in your words. <kbd>@</kbd> adds a file{hasCommands && ', '}
        {hasCommands && <kbd>/</kbd>}
        {hasCommands && ' runs a command'}. Before anything changes or runs, you are asked.
      </p>
    </div>
  );
}

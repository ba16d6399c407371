import { useFacts, useSession } from '../port/session-context.js';
import { SafeText } from '../text/safe-text.js';
import { ContextMeter } from './context-meter.js';
import { CostMeter } from './cost-meter.js';

const LINKS = { connecting: 'Connecting …', open: 'Connected', lost: 'Connection lost', closed: 'Disconnected' } as const;

/** What the session is called, whether it is connected, how full its window is and what it cost. */
export function SessionHeader() {
  const link = useSession((view) => view.link);
  const title = useFacts((facts) => facts.title);
  return (
    <header className="cl-header">
      <span className={`cl-link-state cl-link-state--${link}`} role="status" title={LINKS[link]}>
        <span className={link === 'open' ? 'cl-hidden' : 'cl-link-state__words'}>{LINKS[link]}</span>
      </span>
      <h1 className="cl-header__title">{title === undefined || title === '' ? 'New session' : <SafeText text={title} />}</h1>
      <ContextMeter />
      <CostMeter />
    </header>
  );
}

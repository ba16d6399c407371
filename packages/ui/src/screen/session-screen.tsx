import type { ReactNode } from 'react';
import { WaitingCalls } from '../approval/approval-card.js';
import { Composer } from '../composer/composer.js';
import { TodoPanel } from '../composer/todo-panel.js';
import { WaitingMessages } from '../composer/waiting-messages.js';
import { Questions } from '../questions/questions.js';
import { Timeline } from '../timeline/timeline.js';
import { Announcer } from './announcer.js';
import { Banners } from './banners.js';
import { SessionHeader } from './session-header.js';

interface SessionScreenProps {
  /** Stands in the place of the header; `null`: none, because the host shows these things itself. */
  readonly header?: ReactNode;
}

/** A whole session: header, conversation, what waits, and where messages are written. It fills the height of what it stands in. */
export function SessionScreen({ header = <SessionHeader /> }: SessionScreenProps) {
  return (
    <div className="cl cl-screen">
      {header}
      <Banners />
      <Timeline />
      <div className="cl-dock">
        <WaitingCalls />
        <Questions />
        <TodoPanel />
        <WaitingMessages />
        <Composer />
      </div>
      <Announcer />
    </div>
  );
}

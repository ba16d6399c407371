import type { CallItem } from '@codelab/client/view';
import { useState, type ComponentType } from 'react';
import { WaitingCalls, WithApproval } from '../../src/approval/approval-card.js';
import type { AskedCall } from '../../src/approval/asked-call.js';
import { DiffView } from '../../src/diff/diff-view.js';
import type { Question } from '../../src/port/question.js';
import { SessionProvider, useSession } from '../../src/port/session-context.js';
import { Questions } from '../../src/questions/questions.js';
import { COMMAND, DANGEROUS, OUTSIDE, PATCH, PLAN, WRITE } from './fixtures/calls.js';
import { CUT, huge, MANY, SMALL } from './fixtures/diffs.js';
import { PlayedPort } from './fixtures/played-port.js';
import { QUESTIONS } from './fixtures/questions.js';

/** The pages of the gallery, by `?page=`. */
export const PAGES: Readonly<Record<string, ComponentType>> = {
  diff: () => (
    <>
      <section>
        <h2>A small change</h2>
        <DiffView diff={SMALL} />
      </section>
      <section>
        <h2>A patch of many files</h2>
        <DiffView diff={MANY} />
      </section>
      <section>
        <h2>Cut</h2>
        <DiffView diff={CUT} />
      </section>
    </>
  ),
  huge: () => <DiffView diff={huge(10_000)} />,
  approvals: () => <Played calls={[WRITE, COMMAND, DANGEROUS, OUTSIDE, PLAN]} />,
  write: () => <Played calls={[WRITE]} />,
  patch: () => <Played calls={[PATCH]} />,
  command: () => <Played calls={[COMMAND]} />,
  outside: () => <Played calls={[OUTSIDE]} />,
  plan: () => <Played calls={[PLAN]} />,
  questions: () => <Played questions={QUESTIONS} />,
};

/** A session that is played; tests reach it as `window.port`. */
function Played({ calls = [], questions = [] }: { readonly calls?: readonly AskedCall[]; readonly questions?: readonly Question[] }) {
  const [port] = useState(() => {
    const made = new PlayedPort(calls, questions);
    Object.assign(window, { port: made, played: made.played });
    return made;
  });
  return (
    <SessionProvider port={port}>
      <WaitingCalls />
      <Calls />
      <Questions />
      <textarea aria-label="Message" rows={1} className="cl-words" />
    </SessionProvider>
  );
}

function Calls() {
  const calls = useSession((view) => view.items).filter((item): item is CallItem => item.kind === 'call');
  return calls.map((call) => (
    <WithApproval key={call.callId} call={call}>
      <p>{`${call.toolName} ${call.approval?.outcome ?? ''}`}</p>
    </WithApproval>
  ));
}

import type { InspectedWork, StuckSession } from '@codelab/bus';
import type { Finding } from '../findings.js';
import { list, megabytes, NEAR, right, seconds } from './words.js';

/** Work waits: worth a word, and then a fault. */
const LAG_MS = { sessions: [5_000, 30_000], models: [10_000, 60_000] } as const;
const WAKES = 1_000;

/** How long work waits. */
export function judgeQueues({ queues, wakes }: InspectedWork): readonly Finding[] {
  const judged = (['sessions', 'models'] as const).map((queue): Finding => {
    const subject = `queue of ${queue}`;
    const parts = queues.filter((part) => part.queue === queue);
    const waiting = parts.reduce((sum, part) => sum + part.waiting, 0);
    const lagMs = Math.max(0, ...parts.map((part) => part.lagMs));
    const found = `${waiting} wait, the oldest for ${seconds(lagMs)}`;
    const [note, wrong] = LAG_MS[queue];
    if (lagMs <= note) return right(subject, found);
    const service = queue === 'sessions' ? 'agent-runtime' : 'llm-proxy';
    return {
      state: lagMs > wrong ? 'wrong' : 'note',
      subject,
      found,
      remedy: `start more of ${service}, or look at why its replicas take nothing: /ready, CPU, ${queue === 'models' ? 'LLM_PROXY_CONCURRENCY, the upstream' : 'RUNTIME_MAX_HOT_SESSIONS'}`,
    };
  });
  if (wakes <= WAKES) return judged;
  return [
    ...judged,
    { state: 'note', subject: 'wakes', found: `${wakes} wait`, remedy: 'start more of agent-runtime: sessions begin late' },
  ];
}

const STUCK: Readonly<Record<StuckSession['why'], { readonly what: string; readonly remedy: string }>> = {
  overdue: {
    what: 'should have been taken by a runtime',
    remedy: 'see that an agent-runtime runs and is ready: a sweep takes them within 2 s',
  },
  held: {
    what: 'are held by a process that shows no sign of life',
    remedy: 'wait 5 s: the lease ends and another runtime takes them; if they stay, that process hangs: restart it',
  },
  far: {
    what: 'have a lease that ends later than any lease does',
    remedy: 'a clock was wrong when it was taken: set it right and restart the runtimes; HDEL <key> lease_until frees a session at once',
  },
};

/** Sessions that nobody works on though somebody should. */
export function judgeStuck({ stuck, lookedAt }: InspectedWork): readonly Finding[] {
  const subject = 'leases';
  const found = (Object.keys(STUCK) as StuckSession['why'][]).flatMap((why): Finding[] => {
    const those = stuck.filter((one) => one.why === why);
    if (those.length === 0) return [];
    const named = list(those.map(({ sid, ms, worker }) => `cl:{${sid}}:meta (${worker === undefined ? '' : `${worker}, `}${seconds(ms)})`));
    return [
      {
        state: 'wrong',
        subject,
        found: `${those.length} of ${lookedAt} sessions with work ${STUCK[why].what}: ${named}`,
        remedy: STUCK[why].remedy,
      },
    ];
  });
  return found.length > 0 ? found : [right(subject, `none of ${lookedAt} sessions with work is stuck`)];
}

/** How near the largest of a kind is to what it may store. */
export function judgeQuota(subject: string, bytes: number, quota: number, setting: string): Finding {
  const found = `the largest stores ${megabytes(bytes)} of ${quota === 0 ? 'any amount' : megabytes(quota)}`;
  if (quota === 0 || bytes < NEAR * quota) return right(subject, found);
  const isFull = bytes >= quota;
  return {
    state: isFull ? 'wrong' : 'note',
    subject,
    found,
    remedy: `${isFull ? 'what they begin is refused: ' : ''}delete old sessions, or raise ${setting}`,
  };
}

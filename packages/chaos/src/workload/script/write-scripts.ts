import { drawFrom, type Draw } from '../../plan/draw.js';
import { sayPlan, type PlannedStep, type PlannedUse } from './conversation-plan.js';
import type { Owner } from './owners.js';
import type { Act, Moment, ScriptedMessage, SessionScript } from './session-script.js';
import { drawSteps, drawText, leftUse, longUse, numbering, taskStep, type Numbering } from './write-steps.js';

/** Models by the dialect that the proxy speaks to the upstream for them. */
export const MODELS = { chat: 'gpt-chaos', messages: 'claude-chaos' } as const;

/** The conversations of a seed: the same seed has the same, whatever happens while they are held. */
export function writeScripts(seed: number, owners: readonly [Owner, Owner]): readonly SessionScript[] {
  const draw = drawFrom(seed, 'workload');
  const script = (n: number, fixed: Pick<SessionScript, 'owner' | 'client' | 'kind' | 'vocabulary'>): SessionScript => {
    const session = `s${String(seed)}-${String(n)}`;
    const inner = draw.fork(session);
    const model = inner.one(Object.values(MODELS));
    return { ...fixed, session, model, acts: new ActWriter(inner, session, owners[fixed.owner], fixed).write() };
  };
  const coder = { owner: 0, client: 'client-1', kind: 'executor', vocabulary: 'codelab' } as const;
  const scripts = [script(1, coder), script(2, { owner: 1, client: 'client-2', kind: 'executor', vocabulary: 'codelab' })];
  if (draw.chance(40)) scripts.push(script(3, { ...coder, vocabulary: 'agent' }));
  if (draw.chance(40)) scripts.push(script(4, { owner: 1, client: 'raw', kind: 'raw', vocabulary: 'codelab' }));
  return scripts;
}

/** How long a moment is: how often its text comes, how long each piece of that takes, and its command, in tenths of a second. */
interface Length {
  readonly times: number;
  readonly pauseMs: number;
  readonly tenths: readonly [from: number, to: number];
}

const GOING_ON: Length = { times: 3, pauseMs: 25, tenths: [5, 15] };
/** So long that a cancel which nobody heeds is seen. */
const CANCELLED: Length = { times: 8, pauseMs: 60, tenths: [25, 40] };

/** A use before all others; where the first of these hand work to children, in the same answer: what it meets, it meets beside them. */
const beside = (use: PlannedUse, [first, ...steps]: readonly PlannedStep[]): PlannedStep[] =>
  first?.uses?.some(({ tool }) => tool === 'task') === true
    ? [{ ...first, uses: [use, ...first.uses] }, ...steps]
    : [{ uses: [use] }, ...(first === undefined ? [] : [first]), ...steps];

class ActWriter {
  private readonly numbers: Numbering;
  private messages = 0;

  constructor(
    private readonly draw: Draw,
    private readonly session: string,
    private readonly owner: Owner,
    private readonly about: Pick<SessionScript, 'kind' | 'vocabulary'>,
  ) {
    this.numbers = numbering(session);
  }

  write(): readonly Act[] {
    const acts = Array.from({ length: this.draw.integer(1, 2) }, () => this.act());
    const canSucceed = this.about.kind === 'executor' && this.draw.chance(25);
    return canSucceed ? [...acts, { kind: 'succeed', message: this.message(this.steps()), when: 'asking', client: 'client-3' }] : acts;
  }

  private act(): Act {
    const { draw } = this;
    const kinds = ['say', 'say', 'say', 'cancel', 'cancel', 'join', 'join', 'reconnect'] as const;
    const kind = this.about.kind === 'raw' ? 'say' : draw.one(kinds);
    switch (kind) {
      case 'say':
        return { kind, message: this.message(this.steps()) };
      case 'cancel': {
        const when = this.moment();
        return { kind, message: this.message(this.stepsFor(when, CANCELLED)), when, queue: draw.chance(30), decides: draw.chance(50) };
      }
      case 'join': {
        const when = this.moment();
        const others = Array.from({ length: draw.integer(1, 2) }, () => this.other());
        return { kind, message: this.message(this.stepsFor(when)), when, others };
      }
      case 'reconnect': {
        const when = this.moment();
        return { kind, message: this.message(this.stepsFor(when)), when };
      }
    }
  }

  private other(): ScriptedMessage {
    const whenBusy = this.draw.one(['enqueue', 'enqueue', 'steer', 'interrupt'] as const);
    return whenBusy === 'steer' ? { ...this.message([], 'And look at this, too.'), whenBusy } : { ...this.message(this.steps()), whenBusy };
  }

  private moment(): Moment {
    const child = this.about.vocabulary === 'agent' ? (['child', 'child'] as const) : [];
    return this.draw.one([...(['writing', 'running', 'asking', 'at once'] as const), ...child]);
  }

  private steps(): PlannedStep[] {
    const steps = drawSteps(this.draw, this.numbers);
    const hasTask = this.about.vocabulary === 'agent' && this.draw.chance(50);
    return hasTask ? [taskStep(this.draw, this.numbers, this.words()), ...steps] : steps;
  }

  /** A turn that certainly has such a moment, for so long. */
  private stepsFor(when: Moment, { times, pauseMs, tenths } = GOING_ON): PlannedStep[] {
    const steps = this.steps();
    const { draw, numbers } = this;
    switch (when) {
      case 'writing':
        return [{ ...steps[0], text: drawText(draw).repeat(times), pauseMs }, ...steps.slice(1)];
      case 'running':
        return beside(longUse(numbers, draw.integer(...tenths)), steps);
      case 'asking':
        return beside(leftUse(numbers, draw.one(['w', 'h'] as const)), steps);
      case 'child': {
        const begin = (): PlannedStep[] => [{ uses: [longUse(numbers, draw.integer(...tenths))] }];
        return [taskStep(draw, numbers, this.words(), begin), ...steps];
      }
      case 'at once':
        return steps;
    }
  }

  private words(): string {
    return `chaos-session:${this.session} ${this.owner.word}`;
  }

  private message(steps: readonly PlannedStep[], words = 'Do what the plan says.'): ScriptedMessage {
    this.messages += 1;
    const { draw } = this;
    const content = steps.length === 0 ? `${this.words()} ${words}` : sayPlan(`${this.words()} ${words}`, steps);
    return {
      ...{ id: `${this.session}-m${String(this.messages)}`, content, steps },
      by: draw.chance(50) && this.about.kind === 'executor' ? 'client' : 'watcher',
      model: draw.chance(20) ? draw.one(Object.values(MODELS)) : undefined,
    };
  }
}

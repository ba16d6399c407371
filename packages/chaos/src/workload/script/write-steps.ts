import type { Draw } from '../../plan/draw.js';
import { sayPlan, type PlannedStep, type PlannedUse } from './conversation-plan.js';
import { markOf, type DecisionLetter } from './marks.js';

/** Where the model's uses of one session get their marks. */
export interface Numbering {
  readonly session: string;
  next(): number;
}

export const numbering = (session: string): Numbering => {
  let n = 0;
  return { session, next: () => (n += 1) };
};

/** Uses that leave a line in `marks.log`: a second effect would be a second line. */
const append = (mark: string): PlannedUse => ({
  ...{ tool: 'run_command', mark },
  args: { command: `echo ${mark} >> marks.log && echo did ${mark}` },
});

/** The effect is done, and the command is not over: what dies then has not told of it. */
const linger = (mark: string): PlannedUse => ({
  ...{ tool: 'run_command', mark },
  args: { command: `echo ${mark} >> marks.log; sleep 0.3; echo did ${mark}` },
});

const write = (mark: string, folder = 'files'): PlannedUse => ({
  ...{ tool: 'write_file', mark },
  args: { path: `${folder}/${mark}.txt`, content: `${mark}\n` },
});

/** A use of each kind. */
const USES: Readonly<Record<string, { readonly letter: DecisionLetter; readonly make: (mark: string) => PlannedUse }>> = {
  read: { letter: 'n', make: (mark) => ({ tool: 'read_file', mark, args: { path: `nowhere/${mark}.txt` } }) },
  echo: { letter: 'n', make: (mark) => ({ tool: 'run_command', mark, args: { command: `echo ${mark}` } }) },
  append: { letter: 'a', make: append },
  linger: { letter: 'a', make: linger },
  edited: { letter: 'e', make: append },
  refused: { letter: 'r', make: append },
  write: { letter: 'a', make: write },
  editedWrite: { letter: 'e', make: write },
  remembered: { letter: 'm', make: (mark) => write(mark, 'kept') },
  left: { letter: 'w', make: write },
  leftForRest: { letter: 'h', make: write },
};

/** A command that has its effect first, then writes and waits in turns: one that is in the middle when something happens. */
export const longUse = (numbers: Numbering, tenths: number): PlannedUse => {
  const mark = markOf(numbers.session, numbers.next(), 'a');
  const command = `echo ${mark} >> marks.log; for i in $(seq ${String(tenths)}); do echo line $i of ${mark}; sleep 0.1; done`;
  return { tool: 'run_command', mark, args: { command } };
};

/** A use whose question is left for somebody else. */
export const leftUse = (numbers: Numbering, letter: 'w' | 'h'): PlannedUse => write(markOf(numbers.session, numbers.next(), letter));

export const drawUse = (draw: Draw, numbers: Numbering): PlannedUse => {
  const { letter, make } = USES[draw.one(Object.keys(USES))]!;
  return make(markOf(numbers.session, numbers.next(), letter));
};

const WORDS = 'The model writes some words, one after the other, and each of them has to come to everybody once and in order.'.split(' ');

export const drawText = (draw: Draw): string => Array.from({ length: draw.integer(3, 14) }, () => draw.one(WORDS)).join(' ');

/** What a model does about a message: some answers with uses, side by side or not, and a text at the end. */
export function drawSteps(draw: Draw, numbers: Numbering): PlannedStep[] {
  const steps = Array.from({ length: draw.integer(1, 3) }, (): PlannedStep => ({
    text: draw.chance(40) ? drawText(draw) : undefined,
    uses: Array.from({ length: draw.chance(35) ? draw.integer(2, 3) : 1 }, () => drawUse(draw, numbers)),
  }));
  return [...steps, { text: drawText(draw), pauseMs: draw.integer(0, 8) }];
}

/** An answer that hands parts of the work to agents in sessions of their own; each begins with these steps. */
export function taskStep(draw: Draw, numbers: Numbering, words: string, begin = (): readonly PlannedStep[] => []): PlannedStep {
  const task = (): PlannedUse => {
    const mark = markOf(numbers.session, numbers.next(), 'n');
    const prompt = sayPlan(words, [...begin(), ...drawSteps(draw, numbers)]);
    return { tool: 'task', mark, args: { description: `part ${mark}`, prompt } };
  };
  return { uses: Array.from({ length: draw.integer(1, 2) }, task) };
}

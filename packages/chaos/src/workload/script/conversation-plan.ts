/** One use of a tool that the model asks for. */
export interface PlannedUse {
  readonly tool: string;
  readonly args: object;
  readonly mark: string;
}

/** One answer of the model: a text, uses, or both. The last of a conversation has no uses. */
export interface PlannedStep {
  readonly text?: string;
  readonly uses?: readonly PlannedUse[];
  /** Milliseconds between two pieces of its text. */
  readonly pauseMs?: number;
}

const PREFIX = 'plan: ';

/** A message that tells the scripted model what to answer, step by step. `words` come first, on lines of their own. */
export const sayPlan = (words: string, steps: readonly PlannedStep[]): string => `${words}\n${PREFIX}${JSON.stringify(steps)}`;

/** The plan that stands last in a text. */
export function readPlan(text: string): readonly PlannedStep[] | undefined {
  const line = text.split('\n').findLast((one) => one.startsWith(PREFIX));
  if (line === undefined) return undefined;
  try {
    return JSON.parse(line.slice(PREFIX.length)) as readonly PlannedStep[];
  } catch {
    return undefined; // a plan that was cut short is none
  }
}

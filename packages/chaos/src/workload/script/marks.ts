/**
 * A mark stands in the arguments of exactly one use of a tool, in what its effect leaves on the disk, and in its result: by it an effect, a
 * call, a decision and a line of the conversation are known to belong together. Its last letter says what the human makes of the question.
 */
export const DECISIONS = {
  /** Nobody needs to be asked. */
  n: 'none',
  /** The human at the executor approves it. */
  a: 'approve',
  /** … with other arguments: the mark in them gets an `x`. */
  e: 'edit',
  /** … refuses it. */
  r: 'reject',
  /** … approves it, and makes a rule of that. */
  m: 'remember',
  /** … leaves it alone; another client decides, by a frame. */
  w: 'watcher',
  /** … likewise, by REST. */
  h: 'rest',
} as const;

export type DecisionLetter = keyof typeof DECISIONS;
export type PlannedDecision = (typeof DECISIONS)[DecisionLetter];

const MARK = /mk[a-z0-9]+q[0-9]+_[a-z]x?(?![a-z0-9])/g;

/** The mark of use number `n` in a session. */
export const markOf = (session: string, n: number, letter: DecisionLetter): string =>
  `mk${session.replaceAll(/[^a-z0-9]/g, '')}q${String(n)}_${letter}`;

/** Each mark in a text, or in a value as its JSON. */
export const marksIn = (value: unknown): string[] => [
  ...new Set((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).match(MARK) ?? []),
];

/** What the human makes of a call with this mark; one without a mark is approved. */
export const decisionOf = (mark: string | undefined): PlannedDecision =>
  mark === undefined ? 'approve' : (DECISIONS[originalOf(mark).at(-1) as DecisionLetter] ?? 'approve');

/** The mark of a call whose arguments were edited. */
export const editedMark = (mark: string): string => `${mark}x`;

/** The mark before an edit. */
export const originalOf = (mark: string): string => (mark.endsWith('x') ? mark.slice(0, -1) : mark);

/** Arguments with the mark edited, wherever it stands. */
export const editArguments = <T extends object>(args: T, mark: string): T =>
  JSON.parse(JSON.stringify(args).replaceAll(mark, editedMark(mark))) as T;

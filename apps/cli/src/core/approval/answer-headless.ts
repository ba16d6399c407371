import type { ApprovalAnswer } from '@codelab/client';

/** Who decides: a rule that the human gave with the command, nobody, the human at the terminal, or another client of the session. */
export type ApproveMode = 'none' | 'all' | 'ask' | 'elsewhere';

/** What the model reads when a call was asked and nobody was there. */
export const NO_HUMAN = 'No human is present to decide this. Go on without it, or say what should be approved.';

/** The answer without a human: `all` is a rule that the human made by starting the command with it (H1). */
export const answerHeadless = (mode: 'none' | 'all'): ApprovalAnswer =>
  mode === 'all' ? { decision: 'approve' } : { decision: 'reject', noHuman: true, feedback: NO_HUMAN };

/** What a model reads when a program asks where `--approve all` was said about this command alone. */
export const NOT_FOR_PROGRAMS = 'A program asked for this through llm-proxy, and no human is present to decide it.';

/** What the model reads when somebody elsewhere approved what this machine lets only its own human approve. */
export const DECIDED_HERE_ONLY =
  'This machine takes decisions about commands and sensitive paths only from its own user, and none is present. They can start it with ' +
  '--approve all, make a rule with `codelab rules add`, or set {"approvals":"anywhere"} in floor.json of the data directory.';

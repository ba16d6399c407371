/** A tool to be called, by its canonical name. */
export interface ToolUse {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Left out where the offered tool has no such argument. */
  readonly optional?: readonly string[];
}

/** What came of a call. `args` are those that ran: a human may have edited them. */
export type Outcome = {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
} & (
  | { readonly ok: true; readonly text: string; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: string; readonly message: string }
);

/** What a task has to say at its end. `failed` and `stop` keep the tasks after it from running. */
export interface Report {
  readonly text: string;
  readonly failed?: boolean;
  readonly stop?: boolean;
}

/** Yields calls, is given their outcomes, ends with a report. The same outcomes always lead to the same calls. */
export type Play = Generator<ToolUse, Report, Outcome>;

/** One wish, understood. */
export interface Task {
  /** Canonical names of the tools it may call. */
  readonly tools: readonly string[];
  /** It changes nothing, so it may run beside its neighbours. */
  readonly readonly: boolean;
  /** What it does, after "I'll": `read \`a.txt\``. */
  readonly doing: string;
  /** @param has whether a tool was offered, for tasks that can be done in several ways */
  play(has: (tool: string) => boolean): Play;
}

export type Failed = Extract<Outcome, { ok: false }>;

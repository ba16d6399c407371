/** How much is asked: `medium` is the default. */
export type PolicyMode = 'strict' | 'medium' | 'permissive';

export type Risk = 'low' | 'medium' | 'high';

/** One row of the policy table: how a tool is judged where no rule says otherwise. */
export interface PolicyRow {
  readonly modes: Readonly<Record<PolicyMode, 'allow' | 'ask'>>;
  readonly risk: Risk;
  /** What a human is told of a call that is asked. */
  readonly does: string;
  /** What the call touches, for the agent modes. */
  readonly touches: 'nothing' | 'files' | 'processes';
  /** In `strict` no rule allows it. */
  readonly strictAlwaysAsks?: true;
  /** No rule allows it and no mode: what a call does can't be told from its arguments. */
  readonly alwaysAsks?: true;
  /** The specification has every call of it asked ("run_command"); clients that said `hello` are spared the harmless ones. */
  readonly specificationAlwaysAsks?: true;
}

/** Looks, and changes nothing. */
export const reads = (does: string): PolicyRow => ({
  modes: { medium: 'allow', strict: 'ask', permissive: 'allow' },
  risk: 'low',
  does,
  touches: 'nothing',
});

/** Is itself a question to the human. */
export const asksHuman = (does: string): PolicyRow => ({
  ...reads(does),
  modes: { medium: 'allow', strict: 'allow', permissive: 'allow' },
});

/** Changes files. */
export const writes = (does: string): PolicyRow => ({
  modes: { medium: 'ask', strict: 'ask', permissive: 'allow' },
  risk: 'medium',
  does,
  touches: 'files',
});

/** Always asks where no rule allows it. */
export const dangerous = (does: string, touches: 'files' | 'processes'): PolicyRow => ({
  modes: { medium: 'ask', strict: 'ask', permissive: 'ask' },
  risk: 'high',
  does,
  touches,
  strictAlwaysAsks: true,
});

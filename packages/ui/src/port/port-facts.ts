import type { JsonSchema } from '@codelab/protocol';

/** What a host knows beside the session, for choosers, editors and banners. Everything may be absent: a component hides what needs it. */
export interface PortFacts {
  /** What the session is called before people. */
  readonly title?: string;
  readonly models?: readonly Choice[];
  readonly agents?: readonly Choice[];
  /** Absent: the modes that the servers have, see `SESSION_MODES`. */
  readonly modes?: readonly Choice[];
  /** Commands of this host and of the workspace: `/review`. The host acts on a message that begins with one. */
  readonly commands?: readonly Choice[];
  /** JSON Schemas of the arguments of tools, by their canonical names: hints for whoever edits them. */
  readonly toolSchemas?: Readonly<Record<string, JsonSchema>>;
  /** Earlier messages of this person, oldest first. */
  readonly sentBefore?: readonly string[];
  /** Pasted and dropped images may go with a message. */
  readonly takesImages?: boolean;
  /** Why nothing can be done just now, in the host's words, and what to do about it. */
  readonly trouble?: Trouble;
}

/** Something that can be chosen. `value` travels, `label` (or else `value`) is shown, `detail` explains it in a few words. */
export interface Choice {
  readonly value: string;
  readonly label?: string;
  readonly detail?: string;
}

/** Something is wrong with the host. */
export interface Trouble {
  /** A sentence for a human: what is wrong, and what to do. */
  readonly message: string;
  /** The way out, where the host knows one. */
  readonly action?: { readonly label: string; run(): void };
}

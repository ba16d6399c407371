/**
 * How much is asked, as people choose it. Each name stands for what the servers and the local policy hold to: nothing here decides about a
 * call. `agent`: the agent that the conversation begins with; without one it keeps its own.
 */
const MODES = {
  strict: { mode: 'strict', does: 'asks before everything, reading too' },
  ask: { mode: 'medium', does: 'asks before it changes or runs something' },
  'accept-edits': { mode: 'permissive', does: 'edits files of the folder without asking, and asks before commands' },
  plan: { mode: 'medium', agent: 'ask', does: 'only reads' },
} as const satisfies Readonly<Record<string, { mode: 'strict' | 'medium' | 'permissive'; agent?: string; does: string }>>;

export type PermissionMode = keyof typeof MODES;
export const PERMISSION_MODES = Object.keys(MODES) as readonly PermissionMode[];

/** One line that says what each of them does. */
export const permissionModesText = (): string => PERMISSION_MODES.map((name) => `${name}: ${MODES[name].does}`).join('; ');

/** What somebody chose for a conversation on the command line. */
export interface SessionChoices {
  readonly vocabulary?: string;
  readonly model?: string;
  readonly agent?: string;
  readonly permissionMode?: PermissionMode;
}

/** What a client says of it when it introduces itself; what is absent stays as the conversation has it. */
export interface Wishes {
  readonly vocabulary: string | undefined;
  readonly model: string | undefined;
  readonly mode: 'strict' | 'medium' | 'permissive' | undefined;
  readonly agent: string | undefined;
}

/**
 * @param sessionId `new`, or a conversation that goes on
 * @param usualVocabulary the one of conversations that begin here; a choice that was made for an earlier one stays
 */
export function wishesOf(
  { vocabulary, model, agent, permissionMode }: SessionChoices,
  sessionId: string,
  usualVocabulary?: string,
): Wishes {
  const asks: { readonly mode?: Wishes['mode']; readonly agent?: string } = permissionMode === undefined ? {} : MODES[permissionMode];
  return {
    vocabulary: vocabulary ?? (sessionId === 'new' ? usualVocabulary : undefined),
    model,
    mode: asks.mode,
    agent: agent ?? asks.agent,
  };
}

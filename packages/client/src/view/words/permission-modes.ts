import type { SessionMode } from '@codelab/protocol';

/**
 * How much is asked, as people choose it. Each name stands for what the servers and the local policy hold to: nothing here decides about a
 * call.
 */
const MODES = {
  strict: { mode: 'strict', does: 'asks before everything, reading too' },
  ask: { mode: 'medium', does: 'asks before it changes or runs something' },
  'accept-edits': { mode: 'permissive', does: 'edits files of the folder without asking, and asks before commands' },
  plan: { mode: 'plan', does: 'only reads, and ends with a plan for you to accept' },
} as const satisfies Readonly<Record<string, { mode: SessionMode; does: string }>>;

export type PermissionMode = keyof typeof MODES;
export const PERMISSION_MODES = Object.keys(MODES) as readonly PermissionMode[];

/** The one that the servers know by this name; `ask` for none that is known, as they do. */
export const modeNameOf = (mode: string | undefined): PermissionMode => PERMISSION_MODES.find((name) => MODES[name].mode === mode) ?? 'ask';

/** What the servers call it. */
export const modeNamed = (name: PermissionMode): SessionMode => MODES[name].mode;

/** What it does: `asks before it changes or runs something`. */
export const describeMode = (name: PermissionMode): string => MODES[name].does;

/** In the order of Shift-Tab; `strict` is only chosen by its name. */
const CYCLE: readonly PermissionMode[] = ['ask', 'accept-edits', 'plan'];
export const nextMode = (name: PermissionMode): PermissionMode => CYCLE[(CYCLE.indexOf(name) + 1) % CYCLE.length]!;

/** One line that says what each of them does. */
export const permissionModesText = (): string => PERMISSION_MODES.map((name) => `${name}: ${MODES[name].does}`).join('; ');

import type { ServerFrame } from '@codelab/protocol';

/** The agent and the mode of a session, as a read of it says. */
interface Settings {
  readonly agent?: string | undefined;
  readonly mode?: string | undefined;
}

/**
 * Which settings of a session its frames tell while somebody reads them elsewhere. A frame is newer than what was read meanwhile: without this a
 * change that comes during the read is shown for a moment, and then the one before it for good.
 */
export class ToldSettings {
  private agents = 0;
  private modes = 0;

  hear({ type }: ServerFrame): void {
    if (type === 'agent_switched') this.agents += 1;
    if (type === 'mode_switched') this.modes += 1;
  }

  /** A read begins. Returns what of it still counts at its end: '' and what frames told meanwhile do not. */
  begin(): (read: Settings) => Settings {
    const { agents, modes } = this;
    return ({ agent, mode }) => ({
      agent: agents === this.agents ? agent || undefined : undefined,
      mode: modes === this.modes ? mode || undefined : undefined,
    });
  }
}

import { SESSION_MODES, type ServerFrame, type SessionMode } from '@codelab/protocol';

/**
 * How much is asked in a session, as far as its client has heard: a session that the store lost begins anew with it. A client that chose none
 * tells none, since its token may not be allowed to.
 */
export class HeardMode {
  constructor(private mode: SessionMode | undefined) {}

  /** What `hello` says. */
  get last(): SessionMode | undefined {
    return this.mode;
  }

  hear(frame: ServerFrame): void {
    if (this.mode === undefined) return;
    const told = frame.type === 'welcome' ? frame.snapshot?.mode : frame.type === 'mode_switched' ? frame.mode : undefined;
    this.mode = SESSION_MODES.find((mode) => mode === told) ?? this.mode;
  }
}

import type { ClientStart, ClientUnderTest } from './client-under-test.js';
import type { ScriptedServer } from './scripted-server.js';

/** A client that is connected comes to the next check by itself, within its first delays. */
const COMING_MS = 2_000;

/** A client that somebody runs: the kit says what is to be done, and when. One that is connected goes on to the next check by itself. */
export class ClientByHand implements ClientUnderTest {
  private approve: ClientStart['approve'] | undefined;

  /** @param tell says a sentence to whoever runs the client */
  constructor(
    private readonly server: ScriptedServer,
    private readonly tell: (sentence: string) => void,
  ) {}

  async start({ url, token, workspace, session, approve }: ClientStart): Promise<void> {
    const present = await this.server.maybeNext(COMING_MS);
    if (present !== undefined && approve === (this.approve ?? approve)) return this.server.putBack(present);
    if (present !== undefined) {
      this.tell('Stop your client now.');
      await present.ended;
    }
    this.approve = approve;
    const decides = approve === 'all' ? 'it approves by itself what it is asked' : 'it has no human, and approves nothing';
    this.tell(`Start your client: address ${url}, session ${session}, token ${token}, folder ${workspace}; ${decides}.`);
  }

  kill(): Promise<void> {
    this.tell('Kill your client now (kill -9).');
    return Promise.resolve();
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  output(): string {
    return '';
  }
}

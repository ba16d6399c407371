import type { ClientStart, ClientUnderTest } from './client-under-test.js';

/** A client that somebody runs: the kit says what is to be done, and when. One that is connected goes on to the next check by itself. */
export class ClientByHand implements ClientUnderTest {
  private started: ClientStart['approve'] | undefined;

  /** @param tell says a sentence to whoever runs the client */
  constructor(private readonly tell: (sentence: string) => void) {}

  start({ url, token, workspace, approve }: ClientStart): Promise<void> {
    if (this.started === approve) return Promise.resolve();
    const decides = approve === 'all' ? 'approve what it is asked' : 'have no human: nothing is approved';
    this.tell(`Start your client: address ${url}, token ${token}, folder ${workspace}; it should ${decides}.`);
    this.started = approve;
    return Promise.resolve();
  }

  kill(): Promise<void> {
    this.tell('Kill your client now (kill -9), and start it again with the same journal.');
    return Promise.resolve();
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  output(): string {
    return '';
  }
}

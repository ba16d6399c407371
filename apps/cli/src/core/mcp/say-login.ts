import { LOGIN_WAIT_MS } from '@codelab/mcp';

const MINUTES = LOGIN_WAIT_MS / 60_000;

interface Login {
  readonly server: string;
  readonly url: string;
  /** A browser was started with it. */
  readonly opened: boolean;
  /** What ends the wait. */
  readonly stop: string;
}

/** Says where a person logs in, how long that is waited for, and what ends the wait. The address stands alone in its line. */
export function sayLogin({ server, url, opened, stop }: Login): string {
  const where = opened
    ? 'your browser shows this page; if it does not, open it yourself'
    : 'open this address in a browser of this machine';
  return `To log in to ${server}, ${where}:\n${url}\nThis waits up to ${String(MINUTES)} minutes for you to come back from it; ${stop} ends the wait.`;
}

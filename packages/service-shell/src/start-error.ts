/** The service can't start; the message is the one sentence that the operator needs. */
export class StartError extends Error {
  override readonly name = 'StartError';

  /** Another program listens there already. */
  get isPortTaken(): boolean {
    return (this.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
  }

  /** Translates what `listen` throws. What it doesn't know keeps its text. */
  static from(cause: unknown, host: string, port: number, variable: string): StartError {
    const { code, message } = cause as NodeJS.ErrnoException;
    return new StartError(toSentence(code, message, host, port, variable), { cause });
  }
}

function toSentence(code: string | undefined, message: string, host: string, port: number, variable: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: stop the program that holds it, or set ${variable} to another port (0 takes any free one).`;
    case 'EACCES':
      return `Port ${port} needs rights that this user doesn't have: set ${variable} to a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine: set HOST to 127.0.0.1, or to 0.0.0.0 for all of them.`;
    default:
      return `The service could not listen on ${host}:${port} (${message}): check HOST and ${variable}.`;
  }
}

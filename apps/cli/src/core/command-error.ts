/** A command can't go on: `message` is the sentence that the user reads on stderr, `exitCode` what the shell gets. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  constructor(
    message: string,
    readonly exitCode: number = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The gateway wants a token, or doesn't know the one that it was given. */
export class TokenError extends CommandError {}

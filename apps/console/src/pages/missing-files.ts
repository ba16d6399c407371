/** The files of a page did not come: the network is away, or the gateway has a newer console, whose files have other names. */
export class MissingFilesError extends Error {
  override readonly name = 'MissingFilesError';

  constructor(cause: unknown) {
    super('The files of this page did not come.', { cause });
  }
}

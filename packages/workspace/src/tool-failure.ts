import type { ToolErrorCode } from '@codelab/protocol';

/** A tool call that fails for a reason that its caller should read. Everything else that is thrown is translated by `toToolError`. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  /** @param message one sentence with the path, the limit and the actual figure; never an absolute path */
  constructor(
    readonly code: ToolErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

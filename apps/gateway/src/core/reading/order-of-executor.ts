/**
 * Keeps the order of two things that a client hears: the calls that it is given, and that another client executes now. What was noted as given
 * is written first: a client that has heard of another executor would only show the call, and the store would wait for it to run (R2).
 */
export class OrderOfExecutor {
  private gives = 0;
  private untold: string | undefined = undefined;

  constructor(private readonly client: { tellExecutor(executor: string): void }) {}

  /** Another executes now: told at once, or after the calls that are being given. */
  change(executor: string): void {
    if (this.gives > 0) this.untold = executor;
    else this.client.tellExecutor(executor);
  }

  /** Gives calls: notes that they are, and writes them. */
  async giving<T>(give: () => Promise<T>): Promise<T> {
    this.gives += 1;
    try {
      return await give();
    } finally {
      this.gives -= 1;
      const { untold } = this;
      if (this.gives === 0 && untold !== undefined) {
        this.untold = undefined;
        this.client.tellExecutor(untold);
      }
    }
  }
}

/** That another executes, while the client has not heard it. */
interface News {
  readonly executor: string;
  readonly told: Promise<void>;
  readonly tell: () => void;
}

/**
 * Keeps the order of two things that a client hears: the calls that it is given, and that another client executes now. What was noted as given
 * is written first: a client that has heard of another executor would only show the call, and the store would wait for it to run. What comes
 * after that change is written when the client has heard of it: it would run what it is only shown (R2).
 */
export class OrderOfExecutor {
  private gives = 0;
  private news: News | undefined = undefined;

  constructor(private readonly client: { tellExecutor(executor: string): void }) {}

  /** Another executes now: told at once, or after the calls that are being given. */
  change(executor: string): void {
    if (this.gives === 0) this.client.tellExecutor(executor);
    else this.news = { ...(this.news ?? untold()), executor };
  }

  /** Resolves when the client has heard who executes; `undefined`: it has. */
  whenTold(): Promise<void> | undefined {
    return this.news?.told;
  }

  /** Gives calls, once the client has heard who executes: notes that they are given, and writes them. */
  async giving<T>(give: () => Promise<T>): Promise<T> {
    while (this.news !== undefined) await this.news.told;
    this.gives += 1;
    try {
      return await give();
    } finally {
      this.gives -= 1;
      if (this.gives === 0) this.tell();
    }
  }

  private tell(): void {
    const { news } = this;
    if (news === undefined) return;
    this.news = undefined;
    this.client.tellExecutor(news.executor);
    news.tell();
  }
}

const untold = (): Omit<News, 'executor'> => {
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  return { told, tell };
};

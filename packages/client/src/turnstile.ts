/** Lets asynchronous operations pass one after another, in the order in which they came. A failed one doesn't hold up the next. */
export class Turnstile {
  private tail: Promise<unknown> = Promise.resolve();

  pass<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.tail.then(operation);
    this.tail = result.catch(() => undefined); // told to whoever waits for `result`
    return result;
  }
}

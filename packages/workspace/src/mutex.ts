/** Runs one task after the other, in the order they came. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined); // its caller has the error; the next task is none of its business
    return result;
  }
}

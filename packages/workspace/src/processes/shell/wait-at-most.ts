/** Waits for a promise, but not longer than so many milliseconds. Nothing is left of the wait. */
export async function waitAtMost(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

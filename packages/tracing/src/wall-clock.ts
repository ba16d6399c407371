/** Unix time in milliseconds, with the fraction that spans of a few of them need. */
export const wallClock = (): number => performance.timeOrigin + performance.now();

/** The Chromium that browser tests and screenshots drive: `CODELAB_CHROMIUM`, else the first on the `PATH` or at a usual place. */
export declare function findChromium(env?: NodeJS.ProcessEnv): string | undefined;

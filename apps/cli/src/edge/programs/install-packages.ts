import { runApt, type FetchProgram } from './run-apt.js';

/** Lets `use` install packages for the whole machine: for root. */
export async function installPackages(use: (fetch: FetchProgram) => Promise<void>): Promise<void> {
  // One source that doesn't answer fails all of it, though the others may have what we need: the installation tells.
  const stale = await runApt(['update']).catch((error: Error) => error);
  await use(async (_, packageName) => {
    await runApt(['install', '-y', '--no-install-recommends', packageName]).catch((error: Error) => {
      throw stale ?? error;
    });
  });
}

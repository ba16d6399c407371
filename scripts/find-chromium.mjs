import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The Chromium that browser tests and screenshots drive: `CODELAB_CHROMIUM`, else the first on the `PATH` or at a usual place. */
export function findChromium(env = process.env) {
  if (env.CODELAB_CHROMIUM) return env.CODELAB_CHROMIUM;
  const folders = (env.PATH ?? '').split(delimiter).filter((entry) => isAbsolute(entry));
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...ELSEWHERE].find(mayRun);
}

function mayRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there: the usual case
  }
}

import { spawn } from 'node:child_process';
import { setVariables } from '../config.js';

/** Opens an address in the person's browser, where there is one; whether there was. Never waits for it. */
export function openBrowser(url: string): Promise<boolean> {
  const [command, ...args]: readonly [string, ...string[]] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const hasDisplay = process.platform !== 'linux' || setVariables(['DISPLAY', 'WAYLAND_DISPLAY']).length > 0;
  if (!hasDisplay) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false)); // there is none
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

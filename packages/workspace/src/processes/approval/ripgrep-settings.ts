import { fileURLToPath } from 'node:url';

/** Settings for `RIPGREP_CONFIG_PATH` that leave out files whose names say that they hold secrets. */
export const RIPGREP_SETTINGS = fileURLToPath(new URL('./ripgrep.conf', import.meta.url));

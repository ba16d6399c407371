import type { CommandVerdict } from '../command-judgement.js';

/** A program that runs the program named in its operands. */
export interface Wrapper {
  /** Short options without and with a value. */
  readonly flags?: string;
  readonly valued?: string;
  /** Long options without and with a value, separated by blanks. */
  readonly long?: string;
  readonly longValued?: string;
  /** Operands before the command. */
  readonly operands?: number;
  /** `NAME=value` operands before the command. */
  readonly assigns?: boolean;
  /** The operands together are a script for a shell. */
  readonly script?: boolean;
  /** It runs something else than what stands there, or not as it stands there. */
  readonly floor?: { readonly verdict: Exclude<CommandVerdict, 'automatic'>; readonly reason: string };
}

const asks = (reason: string): Wrapper['floor'] => ({ verdict: 'ask', reason });
const BECOMES_USER: Wrapper['floor'] = { verdict: 'refuse', reason: 'becomes another user' };

/** Programs that run others, by name. `find -exec` and the shells have rules of their own. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['timeout', { flags: 'fv', valued: 'ks', long: 'foreground preserve-status verbose', longValued: 'kill-after signal', operands: 1 }],
  ['gtimeout', { flags: 'fv', valued: 'ks', long: 'foreground preserve-status verbose', longValued: 'kill-after signal', operands: 1 }],
  ['nice', { flags: '0123456789', valued: 'n', longValued: 'adjustment' }],
  ['ionice', { flags: 't', valued: 'cn', long: 'ignore', longValued: 'class classdata' }],
  ['nohup', {}],
  ['time', { flags: 'pv', long: 'portability verbose' }],
  ['stdbuf', { valued: 'ioe', longValued: 'input output error' }],
  ['setsid', { flags: 'cfw', long: 'ctty fork wait' }],
  ['caffeinate', { flags: 'dimsu', valued: 't' }],
  ['command', { flags: 'p' }],
  ['builtin', {}],
  ['busybox', {}],
  ['toybox', {}],
  [
    'env',
    {
      flags: 'i0v-',
      valued: 'uCS',
      long: 'ignore-environment null debug',
      longValued: 'unset chdir split-string',
      assigns: true,
    },
  ],
  [
    'xargs',
    {
      flags: '0oprtx',
      valued: 'IiLlnPsdEea',
      long: 'null no-run-if-empty verbose interactive exit open-tty',
      longValued: 'max-args max-procs max-lines max-chars replace delimiter arg-file eof',
      floor: asks('gets operands that nobody has seen'),
    },
  ],
  [
    'parallel',
    { flags: 'kmXq', valued: 'jnNIL', long: 'keep-order', longValued: 'jobs', script: true, floor: asks('runs a command many times') },
  ],
  [
    'watch',
    {
      flags: 'bcdegtwx',
      valued: 'nq',
      long: 'differences beep color errexit chgexit no-title exec',
      longValued: 'interval',
      script: true,
      floor: asks('never ends'),
    },
  ],
  ['flock', { flags: 'sxeonuF', valued: 'wE', operands: 1, script: true, floor: asks('writes a lock file') }],
  ['strace', { flags: 'fqvtTr', valued: 'eops', floor: asks('traces a program') }],
  ['chroot', { operands: 1, floor: asks('changes the root directory') }],
  ['trap', { script: true, floor: asks('runs a command later') }],
  [
    'ssh',
    { flags: '46AaCfGgKkMNnqsTtVvXxYy', valued: 'BbcDEeFIiJLlmOopQRSWw', operands: 1, script: true, floor: asks('uses the network') },
  ],
  ['exec', { flags: 'cl', valued: 'a', floor: { verdict: 'refuse', reason: 'exec replaces the shell' } }],
  ['eval', { script: true, floor: { verdict: 'refuse', reason: 'eval runs a text that is put together' } }],
  [
    'sudo',
    {
      flags: 'AbEeHiKklnPSsVv',
      valued: 'CDghpRrTtUu',
      long: 'preserve-env non-interactive stdin login shell background set-home',
      longValued: 'user group chdir prompt host',
      assigns: true,
      floor: BECOMES_USER,
    },
  ],
  ['doas', { flags: 'Lns', valued: 'aCu', floor: BECOMES_USER }],
  ['su', { flags: 'lmpP-', valued: 'csgGw', long: 'login preserve-environment', longValued: 'command shell group', floor: BECOMES_USER }],
  ['runas', { operands: 0, floor: BECOMES_USER }],
  ['pkexec', { longValued: 'user', floor: BECOMES_USER }],
  ['runuser', { flags: 'lmp', valued: 'cugGs', floor: BECOMES_USER }],
  ['setpriv', { floor: BECOMES_USER }],
  ['gosu', { operands: 1, floor: BECOMES_USER }],
  ['su-exec', { operands: 1, floor: BECOMES_USER }],
  ['sudoedit', { floor: BECOMES_USER }],
]);

import { variables } from '../config.js';

/** What a program needs of the person's environment to run at all: nothing that is a key of somebody. */
const PASSED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
  ],
  ...['SystemRoot', 'SYSTEMDRIVE', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'TEMP', 'TMP', 'PATHEXT', 'COMSPEC', 'ProgramFiles'],
];

/** The variables that every MCP server gets beside those of its configuration. */
export const serverEnvironment = (): Readonly<Record<string, string>> => variables(PASSED);

/** A variable that a configuration names: `${NAME}`. */
export const lookupVariable = (name: string): string | undefined => variables([name])[name];

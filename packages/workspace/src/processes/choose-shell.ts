/** How a command is handed to a shell. */
export interface Shell {
  readonly program: string;
  readonly args: readonly string[];
  /** Windows: the arguments are one text that the shell reads itself. */
  readonly verbatim: boolean;
}

/** Which shell runs a command: bash where it is, since that is what models write for, else the system's own; never one that the user's settings name. */
export function chooseShell(command: string, platform: NodeJS.Platform, hasBash: boolean): Shell {
  if (platform === 'win32') return { program: 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`], verbatim: true };
  return { program: hasBash ? '/bin/bash' : '/bin/sh', args: ['-c', '--', command], verbatim: false };
}

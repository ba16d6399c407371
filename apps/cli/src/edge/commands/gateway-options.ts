import type { Command } from 'commander';

/** Adds the options by which a command finds a gateway and the token for it. See `chooseGateway`. */
export const withGateway = (command: Command, services = 'the services of this machine'): Command =>
  command
    .option('--url <ws>', `address of a gateway, such as ws://127.0.0.1:8000; without it ${services}`)
    .option('--token-file <path>', 'file with the token for the gateway, instead of CODELAB_TOKEN')
    .option('--token <token>', 'the token itself, which others on this machine can see in the list of processes');

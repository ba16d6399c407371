import type { Command } from 'commander';

/** `codelab secrets`: which masked secrets models may read. */
export function registerSecrets(program: Command): void {
  const secrets = program.command('secrets').description('show which secrets models may read; what else looks like one is masked');
  const run = async () => import('../secrets/run-secrets.js');
  secrets
    .command('list', { isDefault: true })
    .description('list their fingerprints (default)')
    .action(async () => (await run()).listSecrets(process.stdout));
  secrets
    .command('allow <fingerprint>')
    .description('let models read the one that a mask names: [secret <kind> <fingerprint>]')
    .action(async (fingerprint: string) => (await run()).allow(fingerprint, process.stdout));
  secrets
    .command('forget <fingerprint>')
    .description('mask it again')
    .action(async (fingerprint: string) => (await run()).forget(fingerprint, process.stdout));
}

import type { Command } from 'commander';

interface Options {
  readonly deep?: true;
  readonly json?: true;
  readonly redis?: string;
  readonly service?: readonly string[];
}

/**
 * `codelab doctor`: a line for each thing that CodeLab needs here, or with `--deep` for each thing that a running stack may lack. Exits with
 * 1 when one of them is wrong.
 */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('what is installed, reachable or missing, and how to get it')
    .option('--deep', 'look at a running stack instead: queues, leases, quotas, versions, clocks, settings of Redis')
    .option('--redis <url>', 'the Redis of that stack; REDIS_URL, else that of the local stack')
    .option('--service <url...>', 'services to be asked whether they are ready, beside those of the local stack')
    .option('--json', 'as JSON: {ok, findings: [{state, subject, found, remedy}]}')
    .action(async ({ deep, json, redis, service = [] }: Options) => {
      const { readCliConfig } = await import('../config.js');
      const config = readCliConfig();
      const findings = deep
        ? await (await import('../doctor/inspect-stack.js')).inspectStack(config, { redisUrl: redis, urls: service })
        : await (await import('../doctor/inspect-machine.js')).inspectMachine(config);
      const ok = !findings.some(({ state }) => state === 'wrong');
      if (json) process.stdout.write(`${JSON.stringify({ ok, findings })}\n`);
      else (await import('../doctor/print-findings.js')).printFindings(findings, deep);
      if (!ok) process.exitCode = 1;
    });
}

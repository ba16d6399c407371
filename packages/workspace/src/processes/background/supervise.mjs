/**
 * Run as a program, apart from the client: starts one command, keeps the end of its output, and writes down how it ended, whether the client
 * lives or not. Reads its order as JSON from standard input, answers with one line, and never has anything else to say.
 *
 * Files, in `order.directory`: `process.json` (written before the command starts, and again with its pid), `output.<offset>` (each begins at
 * that byte of the output), `exit.json`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const birthByPs = (pid) => {
  try {
    const birth = execFileSync('ps', ['-p', String(pid), '-o', 'lstart='], { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } })
      .toString()
      .trim();
    return { birth, began: Date.parse(birth) };
  } catch {
    return { birth: '', began: 0 }; // no ps either
  }
};

/** When a process began, as the client's own table of processes says it. */
const birthOf = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return { birth: `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${began}`, began: Number(began) };
  } catch {
    return birthByPs(pid);
  }
};

const order = JSON.parse(readFileSync(0, 'utf8'));
const file = (name) => join(order.directory, name);
const write = (name, value) => {
  writeFileSync(file(`${name}.tmp`), `${JSON.stringify(value)}\n`, { mode: 0o600 });
  renameSync(file(`${name}.tmp`), file(name));
};
const answer = (value) => {
  try {
    writeSync(1, `${JSON.stringify(value)}\n`);
    closeSync(1);
  } catch {
    // the client is gone; the files say the same
  }
};

/** The last segments of the output: when one is full the one before the last goes. */
class Output {
  #offset = 0;
  #begin = 0;
  #earlier;
  #torn = false;
  #file = openSync(file('output.0'), 'wx', 0o600);

  write(chunk) {
    try {
      if (this.#torn || this.#offset - this.#begin >= order.segmentBytes) this.#rotate();
      for (let written = 0; written < chunk.length;) written += writeSync(this.#file, chunk, written);
    } catch {
      this.#torn = true; // the disk is full: the process goes on all the same, and the next segment begins where there is room
    }
    this.#offset += chunk.length;
  }

  #rotate() {
    const next = openSync(file(`output.${this.#offset}`), 'wx', 0o600);
    closeSync(this.#file);
    if (this.#earlier !== undefined) unlinkSync(file(`output.${this.#earlier}`));
    [this.#file, this.#earlier, this.#begin, this.#torn] = [next, this.#begin, this.#offset, false];
  }
}

const about = { ...order.about, supervisor: { pid: process.pid, ...birthOf(process.pid) } };
const output = new Output();
write('process.json', about);
const child = spawn(order.program, order.args, {
  env: order.env,
  detached: process.platform !== 'win32',
  windowsHide: true,
  windowsVerbatimArguments: order.verbatim,
  stdio: ['ignore', 'pipe', 'pipe'],
});
child.on('spawn', () => {
  write('process.json', { ...about, leader: { pid: child.pid, ...birthOf(child.pid) } });
  answer({ ok: true });
});
child.on('error', (error) => {
  write('exit.json', { exit_code: null, ended_at_ms: Date.now() });
  answer({ ok: false, code: error.code });
  process.exit(1);
});
child.stdout.on('data', (chunk) => output.write(chunk));
child.stderr.on('data', (chunk) => output.write(chunk));
child.on('close', (code, signal) => {
  write('exit.json', { exit_code: code, ...(signal === null ? {} : { signal }), ended_at_ms: Date.now() });
  process.exit(0);
});
process.on('SIGHUP', () => undefined);
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScale } from './run-scale.js';
import { tableOf } from './tally.js';

// node --conditions=codelab-source --import ./scripts/register-swc.mjs tests/vocabularies/scale/print-scale.ts [seed] [files] [changes] [show] [sources]
const [seed = '1', files = '30', changes = '8', show = '', folder] = process.argv.slice(2);
const trials = await runScale({ seed: Number(seed), files: Number(files), changes: Number(changes), folder });
const print = (text: string): void => void process.stdout.write(`${text}\n\n`);

const clear = trials.filter(({ isHard }) => !isHard);
print(tableOf(trials, ({ format }) => format));
print(tableOf(clear, ({ format, language }) => `${format}, ${language}`));
print(tableOf(trials, ({ format, how }) => `${format}, ${how}`));
print(tableOf(clear, ({ format, style }) => `${format}, ${style}`));
print(
  tableOf(
    clear.filter(({ format }) => format === 'lazy'),
    ({ change, style }) => `${style}, ${change}`,
  ),
);
const shown = trials.filter(({ verdict }) => verdict === 'misplaced' || verdict === 'no hint');
if (show !== '') mkdirSync(show, { recursive: true });
for (const [place, { path, format, style, how, change, file, edit, wanted, got }] of shown.entries()) {
  print(`MISPLACED ${String(place)} ${path}: ${format}, ${style}, ${how}, ${change}`);
  if (show === '') continue;
  for (const [name, text] of Object.entries({ file, edit, wanted, got })) writeFileSync(join(show, `${String(place)}.${name}`), text);
}

const reasons = new Map<string, number>();
for (const { verdict, format, got } of clear)
  if (verdict === 'refused')
    reasons.set(
      `${format}: ${got.replace(/"[^"]*"/g, '…').slice(0, 90)}`,
      (reasons.get(`${format}: ${got.replace(/"[^"]*"/g, '…').slice(0, 90)}`) ?? 0) + 1,
    );
if (show !== '')
  for (const [place, trial] of clear.filter(({ verdict, format }) => verdict === 'refused' && format === 'lazy').entries())
    writeFileSync(
      join(show, `refused.${String(place)}`),
      `${trial.path} ${trial.style} ${trial.change}\n${trial.got}\n=====\n${trial.edit}\n=====\n${trial.file}`,
    );
print(
  [...reasons]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 30)
    .map(([reason, count]) => `${String(count)} ${reason}`)
    .join('\n'),
);

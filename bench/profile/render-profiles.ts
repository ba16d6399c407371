import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { categorise, modulesOf, type CpuProfile } from './categorise.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The profiles of a folder as a table: what share of its CPU time each service spends on what. */
export async function renderProfiles(folder: string): Promise<string> {
  const services = (await readdir(folder)).flatMap((name) => (name.endsWith('.cpuprofile') ? [name.slice(0, -'.cpuprofile'.length)] : []));
  const spent = await Promise.all(
    services.map(async (service) => {
      const profile = JSON.parse(await readFile(join(folder, `${service}.cpuprofile`), 'utf8')) as CpuProfile;
      return categorise(profile, service, modulesOf(await readFile(join(ROOT, `apps/${service}/dist/service.cjs`), 'utf8')));
    }),
  );
  const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0);
  const totals = spent.map((categories) => sum(categories.values()));
  const all = (category: string): number => sum(spent.map((categories) => categories.get(category) ?? 0));
  const names = [...new Set(spent.flatMap((categories) => [...categories.keys()]))].sort((one, other) => all(other) - all(one));
  const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
  const row = (name: string): string[] => [
    name,
    ...spent.map((categories, i) => share(categories.get(name) ?? 0, totals[i]!)),
    share(all(name), sum(totals)),
  ];
  const rows = [['', ...services, 'together'], services.concat(['', '']).map(() => '---'), ...names.map(row)];
  const busy = ['busy', ...totals.map((ms) => `${ms.toFixed(0)} ms`), `${sum(totals).toFixed(0)} ms`];
  return [...rows, busy].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

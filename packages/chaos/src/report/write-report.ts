import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderReport } from './render-report.js';
import type { ReportData } from './report-data.js';

/** Writes `index.markup` into the folder, which is made if it isn't there. Returns the file's path. */
export async function writeReport(directory: string, data: ReportData): Promise<string> {
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'index.html');
  await writeFile(file, renderReport(data));
  return file;
}

export { renderReport } from './render-report.js';
export type { Failure, MutantRow, Recording, ReportData, SeedOutcome, Series } from './report-data.js';
export { writeReport } from './write-report.js';

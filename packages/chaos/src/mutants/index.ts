export { findMutants, mutantsOfDay } from './choose-mutants.js';
export type { Mutant, MutantPlace } from './mutant.js';
export { MUTANTS } from './mutants.js';
export { filesOf, plantFault, plantMutant, type PlantedInstallation } from './plant.js';
export { runMutants, type MutantLane, type MutantRun } from './run-mutants.js';

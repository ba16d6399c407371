export { findMutants, mutantsOfDay } from './choose-mutants.js';
export type { Mutant, MutantPlace } from './mutant.js';
export { MUTANTS } from './mutants.js';
export { filesOf, plantFault, plantMutant, type PlantedInstallation } from './plant.js';
export type { MutantLane } from './mutant-lane.js';
export { runMutants, type MutantRun } from './run-mutants.js';

import { CLIENT_MUTANTS } from './client-mutants.js';
import { GATEWAY_MUTANTS } from './gateway-mutants.js';
import type { Mutant } from './mutant.js';
import { PROXY_MUTANTS } from './proxy-mutants.js';
import { RUNTIME_MUTANTS } from './runtime-mutants.js';
import { STORE_MUTANTS } from './store-mutants.js';

/** Every planted fault. */
export const MUTANTS: readonly Mutant[] = [...STORE_MUTANTS, ...GATEWAY_MUTANTS, ...RUNTIME_MUTANTS, ...PROXY_MUTANTS, ...CLIENT_MUTANTS];

import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/**
 * The digest that binds a decision to arguments (H2): lower-case hex SHA-256 of their canonical JSON. Computed here and nowhere else.
 *
 * @throws TypeError for what JSON cannot hold, see {@link canonicalJson}
 */
export const argsDigest = (args: unknown): string => createHash('sha256').update(canonicalJson(args)).digest('hex');

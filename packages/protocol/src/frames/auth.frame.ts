import { defineClientFrame } from '../define-frame.js';
import { Text } from '../fields.js';

/**
 * Authenticates a connection whose upgrade request had no token; the first frame, within 10 s. Later it prolongs the connection: the token
 * must be of the same person and have every scope that the connection has, else the answer is `FORBIDDEN` and nothing changes.
 */
export class Auth {
  @Text('An API key or a JWT.', { min: 1, max: 8_000 }) token!: string;
}

export const auth = defineClientFrame({
  type: 'auth',
  body: Auth,
  summary:
    'Authenticates the connection, where the upgrade request could not; later, prolongs it by a token of the same person that may do as much.',
});

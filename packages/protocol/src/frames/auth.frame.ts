import { defineClientFrame } from '../define-frame.js';
import { Text } from '../fields.js';

/** Authenticates a connection whose upgrade request had no token; the first frame, within 10 s. */
export class Auth {
  @Text('An API key or a JWT.', { min: 1, max: 8_000 }) token!: string;
}

export const auth = defineClientFrame({
  type: 'auth',
  body: Auth,
  summary: 'Authenticates the connection, where the upgrade request could not.',
});

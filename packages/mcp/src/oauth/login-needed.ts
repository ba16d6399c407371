/** A request can't be made before somebody has logged in. */
export class LoginNeeded extends Error {
  override readonly name = 'LoginNeeded';

  constructor(message = 'the server wants a login') {
    super(message);
  }
}

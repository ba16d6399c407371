/** Told when a route answers that nobody is signed in any more: the token has expired, or another tab has signed out. */
export const SIGNED_OUT = 'codelab:signed-out';

/** What a service tells the process that started it with an IPC channel, in this order; `failed` instead of all others. */
export type SupervisorMessage =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'ready' }
  /** `portTaken`: another program listens on the port; with another one it may go. */
  | { readonly type: 'failed'; readonly message: string; readonly portTaken?: true };

/** False when nobody started this process with a channel. */
export function toSupervisor(message: SupervisorMessage): boolean {
  if (!process.send || !process.connected) return false;
  process.send(message);
  return true;
}

import type { Operand, Preview } from '@codelab/protocol';

type Listener = (preview: Preview, operands: readonly Operand[]) => void;

/** The prompts that wait for a preview, by call. */
export class PreviewListeners {
  private readonly listeners = new Map<string, Set<Listener>>();

  listen(callId: string, listener: Listener): () => void {
    const all = this.listeners.get(callId) ?? new Set();
    this.listeners.set(callId, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0 && this.listeners.get(callId) === all) this.listeners.delete(callId);
    };
  }

  tell(callId: string, preview: Preview, operands: readonly Operand[]): void {
    for (const listener of this.listeners.get(callId) ?? []) listener(preview, operands);
  }
}

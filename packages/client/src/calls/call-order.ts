import { isUnsafe, type CallTask } from './call-task.js';
import type { ToolExecutor } from './tool-executor.js';

/**
 * Which calls came before which: an earlier one that may change something decides what a later one finds. Only calls of one agent, or of the
 * programs, stand in an order.
 */
export class CallOrder {
  private readonly waiting = new Set<() => void>();

  /** @param tasks the calls that are not over */
  constructor(
    private readonly tasks: ReadonlyMap<string, CallTask>,
    private readonly executor: ToolExecutor | undefined,
  ) {}

  /** Whether nothing that came before it can change what the call finds. */
  isFirst(task: CallTask): boolean {
    const isBefore = ({ order, claimed, frame }: CallTask): boolean =>
      claimed && order < task.order && isUnsafe(frame, this.executor) && askerOf(frame) === askerOf(task.frame);
    return ![...this.tasks.values()].some(isBefore);
  }

  /** Resolves when that is so, or when the call is given up. */
  async first(task: CallTask, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.isFirst(task)) {
      await new Promise<void>((resolve) => {
        this.waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  /** A call is over, or is somebody else's. */
  advance(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}

const askerOf = ({ origin, task_call_id }: CallTask['frame']): string => `${origin ?? ''} ${task_call_id ?? ''}`;

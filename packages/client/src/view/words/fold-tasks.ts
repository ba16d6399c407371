import { isSettled, type Item } from '../session-view.js';

/**
 * The items without the calls of agents that work on parts of the task: their rows would stand between each other's. What an agent does stands at the
 * row of its task. Calls that ask, that changed something or that went wrong keep rows of their own.
 */
export const foldTasks = (items: readonly Item[]): readonly Item[] => items.filter((item) => !isFolded(item));

const isFolded = (item: Item): boolean => {
  if (item.kind !== 'call' || item.taskCallId === undefined || item.progress === 'waiting') return false;
  if (!isSettled(item)) return true;
  return (item.progress === 'done' && item.preview?.kind !== 'diff') || item.progress === 'cancelled';
};

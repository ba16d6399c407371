/** Whether an error says that the store is away, so that nothing was promised. By name: the class may come from another copy of the package. */
export const isStoreAway = (error: unknown): boolean => error instanceof Error && error.name === 'BusError';

/** An event that gets its time when it is told. */
export type Untimed<Event> = Event extends unknown ? Omit<Event, 'atMs'> : never;

/** What a process can forget to let go of: sockets, servers, children, timers that keep it alive. */
const KINDS = new Set([
  'TCPSocketWrap',
  'TCPServerWrap',
  'PipeConnectWrap',
  'PipeServerWrap',
  'ProcessWrap',
  'Timeout',
  'FSEventWrap',
  'MessagePort',
]);

const held = (): readonly string[] => process.getActiveResourcesInfo().filter((kind) => KINDS.has(kind));

/**
 * Notes what the process holds, and answers a function that says what it holds more than then, by kind: `[]` is what a test wants to see.
 * Give it a moment to let go: `await eventually('nothing is left', () => leaks().length === 0)`.
 */
export function watchLeaks(): () => readonly string[] {
  const before = [...held()];
  return () => {
    const known = [...before];
    return held().filter((kind) => {
      const place = known.indexOf(kind);
      if (place !== -1) known.splice(place, 1);
      return place === -1;
    });
  };
}

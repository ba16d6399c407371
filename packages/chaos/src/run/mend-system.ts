import type { ChaosSystem } from '../system/chaos-system.js';

/** Makes a system as it was at its start, but for what it remembers: whatever a run left behind is taken back. Its sessions were deleted by itself. */
export async function mendSystem(system: ChaosSystem): Promise<void> {
  for (const { process, name } of system.services) {
    process.thaw();
    system.store.linkOf(name)?.heal();
  }
  await system.closeLinks();
  for (const { process } of system.store.servers) {
    process.thaw();
    await process.start();
  }
  for (const server of system.store.servers.filter(({ options }) => options.kind !== 'sentinel')) {
    await server.limitFiles(undefined);
    await server.limitMemory(undefined);
    await server.sync('always');
    await server.mendAof();
  }
  await Promise.all(
    system.services.map(async (service) => {
      service.useOther(false);
      await service.shiftClock(0);
      await service.process.start();
    }),
  );
}

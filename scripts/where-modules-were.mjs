import { relative } from 'node:path';

/** For rolldown: workers, scripts and settings lie beside the modules that name them, and stay there; a module in a bundle in `dir` is told where it was. */
export const whereModulesWere = (dir) => ({
  name: 'where-modules-were',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) =>
      code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(dir, id).replaceAll('\\', '/'))}, import.meta.url).href`),
  },
});

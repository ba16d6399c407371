import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ServiceKind = 'gateway' | 'agent-runtime' | 'llm-proxy';

/** The repository that this file is built in: …/packages/chaos/{src,dist}/system/ → its root. */
export const ownRoot: string = fileURLToPath(new URL('../../../../', import.meta.url));

/** The built program of a service in an installation. */
export const mainOf = (root: string, service: ServiceKind): string => join(root, 'apps', service, 'dist', 'main.js');

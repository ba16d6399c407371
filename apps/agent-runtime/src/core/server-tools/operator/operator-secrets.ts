import type { Owner } from '@codelab/bus';
import { isFor, type ReadVariable, type ToolsFile } from '@codelab/config-file';
import type { SecretSource } from '@codelab/tools';

/** The secrets of the tools file: those that a person may refer to, or all of them where it is the file itself that refers. */
export function operatorSecrets({ secrets }: Pick<ToolsFile, 'secrets'>, readVariable: ReadVariable, owner?: Owner): SecretSource {
  return {
    find: (name) => {
      const entry = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      if (entry === undefined || (owner !== undefined && !isFor(entry, owner))) return undefined;
      const value = readVariable(entry.env);
      return value === undefined ? undefined : { value, hosts: entry.hosts.map((host) => host.toLowerCase()) };
    },
  };
}

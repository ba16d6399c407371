import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What the models file is called where no variable names it. */
export const MODELS_FILE = 'codelab.models.yaml';

/** Where a models file may be: all of it is this user's, none of it a workspace's. */
export interface ModelsFilePlaces {
  /** `CODELAB_MODELS_FILE`. */
  readonly modelsFile?: string;
  readonly dataDir: string;
  readonly configDir: string;
}

/** The models file that counts, as an absolute path: the one that the variable names, else that of the data, else of the configuration directory. */
export function findModelsFile({ modelsFile, dataDir, configDir }: ModelsFilePlaces): string | undefined {
  if (modelsFile !== undefined) return resolve(modelsFile);
  return [dataDir, configDir].map((directory) => join(directory, MODELS_FILE)).find((path) => existsSync(path));
}

/**
 * A sentence about a models file in the working folder, which is not read: whoever wrote the folder would choose the servers, and which
 * variables go to them. `undefined` where there is none, or where it is the one that counts.
 */
export function ignoredModelsFile(places: ModelsFilePlaces): string | undefined {
  if (places.modelsFile !== undefined || !existsSync(MODELS_FILE)) return undefined;
  const used = findModelsFile(places);
  if (used !== undefined && realpathSync(used) === realpathSync(MODELS_FILE)) return undefined;
  return `${MODELS_FILE} in this folder is not read: set CODELAB_MODELS_FILE to its path if it is yours, or put it into ${places.configDir}.`;
}

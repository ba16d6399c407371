import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A file of settings that this machine's user wrote for the servers. */
interface SettingsFile {
  /** What it is called where no variable names it. */
  readonly name: string;
  /** The variable that names it. */
  readonly variable: string;
}

/** What the models file is called where no variable names it. */
export const MODELS_FILE = 'codelab.models.yaml';
/** What the tools file is called where no variable names it. */
export const TOOLS_FILE = 'codelab.tools.yaml';

const MODELS: SettingsFile = { name: MODELS_FILE, variable: 'CODELAB_MODELS_FILE' };
const TOOLS: SettingsFile = { name: TOOLS_FILE, variable: 'CODELAB_TOOLS_FILE' };

/** Where such files may be: all of it is this user's, none of it a workspace's. */
export interface SettingsPlaces {
  /** `CODELAB_MODELS_FILE`. */
  readonly modelsFile?: string;
  /** `CODELAB_TOOLS_FILE`. */
  readonly toolsFile?: string;
  readonly dataDir: string;
  readonly configDir: string;
}

/** The models file that counts, as an absolute path: the one that the variable names, else that of the data, else of the configuration directory. */
export const findModelsFile = (places: SettingsPlaces): string | undefined => find(MODELS, places.modelsFile, places);

/** The tools file that counts, likewise. */
export const findToolsFile = (places: SettingsPlaces): string | undefined => find(TOOLS, places.toolsFile, places);

/**
 * A sentence about a models file in the working folder, which is not read: whoever wrote the folder would choose the servers, and which
 * variables go to them. `undefined` where there is none, or where it is the one that counts.
 */
export const ignoredModelsFile = (places: SettingsPlaces): string | undefined => ignored(MODELS, places.modelsFile, places);

/** Likewise about a tools file. */
export const ignoredToolsFile = (places: SettingsPlaces): string | undefined => ignored(TOOLS, places.toolsFile, places);

function find({ name }: SettingsFile, named: string | undefined, { dataDir, configDir }: SettingsPlaces): string | undefined {
  if (named !== undefined) return resolve(named);
  return [dataDir, configDir].map((directory) => join(directory, name)).find((path) => existsSync(path));
}

function ignored(file: SettingsFile, named: string | undefined, places: SettingsPlaces): string | undefined {
  const { name, variable } = file;
  if (named !== undefined || !existsSync(name)) return undefined;
  const used = find(file, named, places);
  if (used !== undefined && realpathSync(used) === realpathSync(name)) return undefined;
  return `${name} in this folder is not read: set ${variable} to its path if it is yours, or put it into ${places.configDir}.`;
}

import { fileKind, readYamlFile, YamlError, type FileWords, type ReadFile } from '@codelab/config-file';
import { checkReferences, type KnownUpstreams } from './check-references.js';
import type { ModelsFile } from './models-file.js';
import { MODELS_FILE_SCHEMA } from './models-file.schema.js';

/** What is wrong with a models file: every problem, a sentence each, without any value of the file. */
export class ModelsFileError extends Error {
  override readonly name = 'ModelsFileError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

export const NO_MODELS_FILE: ModelsFile = { upstreams: {}, models: {}, aliases: {}, routes: {}, keys: {} };

const WORDS: FileWords = {
  hints: {
    base_url: 'a URL that begins with http:// or https:// and holds no user, password or fragment',
    api_key_env: 'the name of an environment variable in capitals, such as GROQ_API_KEY; the key itself never stands in this file',
  },
  names: {
    upstreams: 'names of upstreams are of small letters, digits, - and _, at most 64',
    keys: 'write tenant/name, tenant/* or *',
  },
  keysBelong: 'put the key into an environment variable and name that with api_key_env',
};

const KIND = fileKind(MODELS_FILE_SCHEMA, WORDS);

/** Reads `codelab.models.yaml` from its text. Throws `ModelsFileError`. */
export function parseModelsFile(text: string, known: KnownUpstreams): ModelsFile {
  const { value, problems } = readOrThrow(text);
  if (problems.length > 0) throw new ModelsFileError(problems.map(({ sentence }) => sentence));
  const file = { ...NO_MODELS_FILE, ...(value as Partial<ModelsFile>) };
  const unknown = checkReferences(file, known);
  if (unknown.length > 0) throw new ModelsFileError(unknown);
  return file;
}

function readOrThrow(text: string): ReadFile {
  try {
    return readYamlFile(text, KIND);
  } catch (error) {
    if (error instanceof YamlError) throw new ModelsFileError(error.problems);
    throw error;
  }
}

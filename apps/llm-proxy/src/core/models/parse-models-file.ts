import { Ajv } from 'ajv';
import { parseDocument } from 'yaml';
import { checkReferences, type KnownUpstreams } from './check-references.js';
import type { ModelsFile } from './models-file.js';
import { MODELS_FILE_SCHEMA } from './models-file.schema.js';
import { tellProblem } from './tell-problem.js';

/** What is wrong with a models file: every problem, a sentence each, without any value of the file. */
export class ModelsFileError extends Error {
  override readonly name = 'ModelsFileError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

export const NO_MODELS_FILE: ModelsFile = { upstreams: {}, models: {}, aliases: {}, routes: {}, keys: {} };

const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true });
ajv.addFormat('base-url', isBaseUrl);
const validate = ajv.compile(MODELS_FILE_SCHEMA);

/** Reads `codelab.models.yaml` from its text. Throws `ModelsFileError`. */
export function parseModelsFile(text: string, known: KnownUpstreams): ModelsFile {
  const document = parseDocument(text, { prettyErrors: true });
  const broken = document.errors.map(({ code, linePos }) => `Line ${String(linePos?.[0].line ?? 1)} is no YAML (${code}).`);
  if (broken.length > 0) throw new ModelsFileError(broken);
  const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
  if (!validate(value)) {
    const errors = (validate.errors ?? []).filter(({ keyword, propertyName }) => keyword === 'propertyNames' || propertyName === undefined);
    throw new ModelsFileError([...new Set(errors.map((error) => tellProblem(error, value)))]);
  }
  const file = { ...NO_MODELS_FILE, ...(value as Partial<ModelsFile>) };
  const problems = checkReferences(file, known);
  if (problems.length > 0) throw new ModelsFileError(problems);
  return file;
}

/** `http` or `https`, without user, password and fragment. */
function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
}

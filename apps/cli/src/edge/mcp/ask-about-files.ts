import { parseMcpConfig, variablesIn } from '@codelab/mcp';
import { createInterface } from 'node:readline/promises';
import { paintLine } from '../../core/text/paint-line.js';
import { renderFileApproval, type FileToApprove } from '../../core/mcp/render-file-approval.js';
import { userTheme } from '../user-config/read-settings.js';
import { earlierContent, keepVerdict, type EarlierContent, type FileVerdict, type ReadFile } from './approved-files.js';
import type { ConfigPlace } from './config-files.js';

/** The terminal that is asked. */
export interface AskingTerminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream & { readonly columns?: number };
}

/**
 * What a file would start, as it says itself: nothing of the environment is put in.
 * @param earlier what was said of the file before it became what it is
 */
export function readForApproval({ path, text, sha256 }: ReadFile, earlier?: EarlierContent): FileToApprove {
  const { servers, problems } = parseMcpConfig(text, { file: path });
  const variables = variablesIn(JSON.stringify(servers)); // whatever else is wrong once they are put in
  const before = earlier && {
    since: earlier.verdict,
    servers: earlier.text === undefined ? undefined : parseMcpConfig(earlier.text, { file: path }).servers,
  };
  return { path, sha256, servers, problems, variables, before };
}

/**
 * Shows the files of a workspace that wait, one after the other, and asks the person at the terminal whether exactly this content may start its
 * servers. Enter means no; what was said is kept.
 */
export async function askAboutFiles(
  place: ConfigPlace,
  files: readonly ReadFile[],
  { input, output }: AskingTerminal,
): Promise<readonly { readonly file: ReadFile; readonly verdict: FileVerdict }[]> {
  const verdicts: { readonly file: ReadFile; readonly verdict: FileVerdict }[] = [];
  const theme = userTheme();
  for (const file of files) {
    const earlier = await earlierContent(place.dataDir, place.workspace.id, file);
    const rows = renderFileApproval(readForApproval(file, earlier), (output.columns ?? 80) - 1);
    output.write(rows.map((row) => `${paintLine(row, theme)}\n`).join(''));
    const answer = await ask('Start these servers in this folder, now and from now on? [y/N] ', { input, output });
    if (answer === undefined) break; // whoever was asked has left
    const verdict = /^y(es)?$/i.test(answer.trim()) ? 'approved' : 'refused';
    await keepVerdict(place.dataDir, place.workspace.id, file, verdict);
    verdicts.push({ file, verdict });
  }
  return verdicts;
}

async function ask(question: string, terminal: AskingTerminal): Promise<string | undefined> {
  const lines = createInterface(terminal);
  const left = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question), left]);
  } finally {
    lines.close();
  }
}

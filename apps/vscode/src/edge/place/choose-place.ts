import * as vscode from 'vscode';
import { parseGateway } from '../../core/place/parse-gateway.js';
import { PlaceError, type Place } from '../../core/place/place.js';
import { useLocalStack } from './local-place.js';

/** Where tokens are kept, by the address that they are for: a token never goes to another one. */
export const secretNameOf = (address: string): string => `token:${address}`;

/** The gateway of the settings, else the services of this machine. Throws `PlaceError`. */
export async function choosePlace(secrets: vscode.SecretStorage, dataDir: string, say: (text: string) => void): Promise<Place> {
  const settings = vscode.workspace.getConfiguration('codelab');
  const url = settings.get('url', '').trim();
  if (url === '') return useLocalStack({ dataDir, command: settings.get('command', '').trim(), say });
  const { ws, http } = parseGateway(url);
  const read = (): Thenable<string | undefined> => secrets.get(secretNameOf(http));
  let token = await read();
  if (token === undefined || token === '')
    throw new PlaceError('token', `${http} needs a token: set it by the command "CodeLab: Set the Token of the Gateway".`);
  return {
    ...{ ws, http, name: ws },
    get token() {
      return token ?? '';
    },
    follow: async () => void (token = (await read()) ?? token),
    stop: () => undefined,
  };
}

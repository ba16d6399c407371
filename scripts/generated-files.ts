import { asyncapiFile } from './generate/asyncapi.js';
import { chatPage } from './generate/chat-page.js';
import { configPage } from './generate/config-page.js';
import { conformancePage } from './generate/conformance-page.js';
import { frameSchemaFiles } from './generate/frame-schemas.js';
import { promptPages } from './generate/prompts-page.js';
import { protocolPage } from './generate/protocol-page.js';
import { redisPage } from './generate/redis-page.js';
import { restPage } from './generate/rest-page.js';
import { settingsPage } from './generate/settings-page.js';
import { toolsPage } from './generate/tools-page.js';
import { vocabulariesPage } from './generate/vocabularies-page.js';

/** Every generated file of the repository: path from its root → text. */
export const generatedFiles = (): Record<string, string> => ({
  ...frameSchemaFiles(),
  ...asyncapiFile(),
  ...protocolPage(),
  ...conformancePage(),
  ...configPage(),
  ...settingsPage(),
  ...chatPage(),
  ...redisPage(),
  ...restPage(),
  ...toolsPage(),
  ...vocabulariesPage(),
  ...promptPages(),
});

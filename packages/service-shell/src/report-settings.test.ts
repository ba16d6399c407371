import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { Setting } from './config/setting.js';
import { ServiceConfig } from './config/service-config.js';
import { readSettings } from './report-service.js';

class Config extends ServiceConfig {
  @Setting({ env: 'EXAMPLE_URL', meaning: 'Where.', expects: 'a URL' }) where = 'https://user:p%40ss@models.example/v1?a=b@c';
  @Setting({ env: 'EXAMPLE_URLS', meaning: 'Where.', expects: 'URLs' }) all = ['http://key@one.example', 'https://two.example/@scope'];
  @Setting({ env: 'EXAMPLE_KEY', meaning: 'A key.', expects: 'a key', secret: true }) key = 'hidden';
}

test(verifies('S1:settings', 'what is reported of settings has no secret, nor credentials of an address'), () => {
  const settings = readSettings(new Config());
  const valueOf = (env: string) => settings.find(({ name }) => name === env)?.value;
  expect(valueOf('EXAMPLE_URL')).toBe('https://***@models.example/v1?a=b@c');
  expect(valueOf('EXAMPLE_URLS')).toBe('http://***@one.example,https://two.example/@scope');
  expect(settings.find(({ name }) => name === 'EXAMPLE_KEY')).toMatchObject({ secret: true, isSet: true });
  expect(valueOf('EXAMPLE_KEY')).toBeUndefined();
});

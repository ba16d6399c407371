import { resolve } from 'node:path';
import { IsOptional } from 'class-validator';
import { defaultConfigDir, defaultDataDir } from '../data-dir.js';
import { Setting } from './setting.js';

/** What every program of CodeLab on a machine must agree on: where its data is, and who may speak to it. */
export class LocalConfig {
  @Setting({
    env: 'CODELAB_DATA_DIR',
    meaning: 'Where this machine keeps what must survive a restart: the generated token, the private Redis, journals.',
    expects: 'a folder that this user can write',
    defaultText: '${XDG_STATE_HOME:-~/.local/state}/codelab',
  })
  @IsOptional()
  dataDirSetting?: string;

  @Setting({
    env: 'XDG_STATE_HOME',
    meaning: 'Where programs of this user keep their state.',
    expects: 'a folder',
    defaultText: '~/.local/state',
  })
  @IsOptional()
  stateHome?: string;

  @Setting({
    env: 'XDG_CONFIG_HOME',
    meaning: 'Where programs of this user keep their configuration; ours is in `codelab` there.',
    expects: 'a folder',
    defaultText: '~/.config',
  })
  @IsOptional()
  configHome?: string;

  @Setting({
    env: 'CODELAB_TOKENS',
    meaning:
      'API keys: `token=tenant/sub` or `sha256:<hex>=tenant/sub`, comma-separated; `?scopes=llm+session` after an entry narrows it. ' +
      'Unset: a token is generated into the data directory.',
    expects: 'entries such as <token>=<tenant>/<sub>',
    secret: true,
    defaultText: 'generated',
  })
  @IsOptional()
  tokens?: string;

  /** `CODELAB_DATA_DIR`, or its default: an absolute path, whatever folder a child is started in. */
  get dataDir(): string {
    return resolve(this.dataDirSetting ?? defaultDataDir(this.stateHome));
  }

  /** `${XDG_CONFIG_HOME:-~/.config}/codelab`. */
  get configDir(): string {
    return defaultConfigDir(this.configHome);
  }
}

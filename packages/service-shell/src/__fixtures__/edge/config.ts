import { IsBoolean, IsInt } from 'class-validator';
import { readConfig, ServiceConfig, Setting } from '../../index.js';

export class ExampleConfig extends ServiceConfig {
  @Setting({ env: 'EXAMPLE_PORT', meaning: 'Where it listens.', expects: 'a port' })
  @IsInt()
  port: number = 0;

  @Setting({ env: 'EXAMPLE_FAULT', meaning: 'Whether it fails while it starts.', expects: 'true or false' })
  @IsBoolean()
  fault: boolean = false;
}

export const readExampleConfig = (): ExampleConfig => readConfig(ExampleConfig, process.env);

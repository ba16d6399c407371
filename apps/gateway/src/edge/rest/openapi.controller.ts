import { Controller, Get, Inject } from '@nestjs/common';
import { OPENAPI } from '../tokens.js';

/** The description of the routes, for anyone. */
@Controller('api/v1/openapi.json')
export class OpenApiController {
  constructor(@Inject(OPENAPI) private readonly document: object) {}

  @Get()
  read(): object {
    return this.document;
  }
}

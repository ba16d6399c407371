import { Controller, Get } from '@nestjs/common';
import { AGENTS } from '@codelab/tools';
import { DescribeRoute } from '../openapi/describe-route.js';
import { pageOf } from '../openapi/schemas.js';

/** What is the same for all sessions of a person. */
@Controller('api/v1')
export class FactsController {
  @Get('agents')
  @DescribeRoute({
    summary: 'The agent modes.',
    response: { status: 200, description: 'Names and what each is for.', schema: pageOf('agents', { type: 'object' }) },
  })
  agents() {
    return { agents: AGENTS };
  }
}

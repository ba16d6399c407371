import { Controller, Delete, Get, Header, Query } from '@nestjs/common';
import { refuse } from '@codelab/protocol';
import { AGENTS } from '../../core/agents.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { PAGE_QUERY, pageOf } from '../openapi/schemas.js';
import { readPage } from './page.js';
import { RefusedRequest } from './refused-request.js';

const ENTRY = { type: 'object' } as const;

/** What is the same for all sessions of a person. */
@Controller('api/v1')
export class FactsController {
  @Get('agents')
  @DescribeRoute({
    summary: 'The agent modes.',
    response: { status: 200, description: 'Names and what each is for.', schema: pageOf('agents', ENTRY) },
  })
  agents() {
    return { agents: AGENTS };
  }

  @Get('audit')
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary: 'Who decided what, newest first.',
    query: PAGE_QUERY,
    response: { status: 200, description: 'Entries.', schema: pageOf('entries', ENTRY) },
    errors: ['INVALID_FIELD'],
  })
  audit(@Query() query: object) {
    readPage(query);
    return { entries: [] };
  }

  @Get('rules')
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary: 'The rules that this person has made by remembering decisions.',
    query: PAGE_QUERY,
    response: { status: 200, description: 'Rules.', schema: pageOf('rules', ENTRY) },
    errors: ['INVALID_FIELD'],
  })
  rules(@Query() query: object) {
    readPage(query);
    return { rules: [] };
  }

  @Delete('rules')
  @DescribeRoute({
    summary: 'Removes a rule.',
    query: { rule_id: { type: 'string', description: 'The rule.' } },
    response: {
      status: 200,
      description: 'How many rules are gone: 0 if there was none of this id.',
      schema: { type: 'object', properties: { removed: { type: 'integer' } } },
    },
    errors: ['MISSING_FIELD'],
  })
  removeRule(@Query('rule_id') ruleId: string | undefined) {
    if (ruleId === undefined) throw new RefusedRequest(refuse('MISSING_FIELD', 'rule_id is required'));
    return { removed: 0 };
  }
}

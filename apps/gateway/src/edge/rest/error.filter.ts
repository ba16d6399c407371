import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { refuse, type Refusal } from '@codelab/protocol';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { isStoreAway, refuseForQuota } from '../../core/refusals.js';
import { RefusedRequest } from './refused-request.js';
import { sendRefusal } from './send-refusal.js';

/** The boundary of REST: whatever was thrown becomes an error of ours, and only what we have a fault in is logged. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof HttpException) return sendRefusal(response, toRefusal(error), { status: error.getStatus() });
    if (error instanceof RefusedRequest) return sendRefusal(response, error.refusal);
    const quota = refuseForQuota(error);
    if (quota !== undefined) return sendRefusal(response, quota);
    if (isStoreAway(error)) return sendRefusal(response, refuse('UNAVAILABLE', 'a part of the service is away: try again'));
    this.logger.error({ event: 'request.fault', err: error });
    sendRefusal(response, refuse('INTERNAL', 'a fault of this service; it is logged here'));
  }
}

/** What Nest itself refuses: a route or a method that isn't there. */
const toRefusal = (error: HttpException): Refusal => refuse('INVALID_TYPE', `there is nothing here: ${error.message}`);

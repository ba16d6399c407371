import { Controller, Get, Header, Inject, Param, Req } from '@nestjs/common';
import { refuse } from '@codelab/protocol';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { readImages, type ResultImage } from '../../core/snapshot/result-images.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { GATEWAY_PORTS } from '../tokens.js';
import type { RestRequest } from './admit-request.js';
import { RefusedRequest } from './refused-request.js';
import { notThere, toCaller } from './rest-caller.js';

const CALL_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The pictures that came of a call: the conversation only names them. */
@Controller('api/v1/sessions/:session_id/calls/:call_id/images')
export class ImagesController {
  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {}

  @Get()
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary:
      'The pictures in the result of a call, PNG, JPEG, GIF or WebP, at most 10 and 8 MB of base64 together. The result is there once all calls ' +
      'of the same answer have ended; the last 1,000 items of the conversation are looked at.',
    response: {
      status: 200,
      description: 'Pictures, in their order; none where the result has none.',
      schema: {
        type: 'object',
        required: ['images'],
        properties: {
          images: {
            type: 'array',
            items: {
              type: 'object',
              required: ['media_type', 'data'],
              properties: { media_type: { type: 'string' }, data: { type: 'string', description: 'base64' } },
            },
          },
        },
      },
    },
    errors: ['SESSION_NOT_FOUND', 'UNKNOWN_CALL'],
  })
  async read(
    @Req() request: RestRequest,
    @Param('session_id') sessionId: string,
    @Param('call_id') callId: string,
  ): Promise<{ readonly images: readonly ResultImage[] }> {
    const { session } = toCaller(request, sessionId);
    const { store } = this.ports;
    if ((await store.readMeta(session)) === undefined) throw notThere();
    const images = CALL_ID.test(callId) ? await readImages(store, session, callId) : undefined;
    if (images === undefined) throw new RefusedRequest(refuse('UNKNOWN_CALL', 'the conversation has no result of this call, or not yet'));
    return { images };
  }
}

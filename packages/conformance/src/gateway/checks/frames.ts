import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { demandCode, type GatewayStage } from '../gateway-stage.js';

const BAD: readonly (readonly [text: string, code: string])[] = [
  ['nonsense', 'INVALID_FORMAT'],
  ['[]', 'INVALID_FORMAT'],
  ['"text"', 'INVALID_FORMAT'],
  [`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'INVALID_FORMAT'],
  ['{"type":"brew_tea"}', 'INVALID_TYPE'],
  ['{"no":"type"}', 'MISSING_FIELD'],
  ['{"type":"user_message"}', 'MISSING_FIELD'],
  ['{"type":"user_message","content":null}', 'MISSING_FIELD'],
  ['{"type":"user_message","content":7}', 'INVALID_FIELD'],
  ['{"type":"ack","seq":-1}', 'INVALID_FIELD'],
  ['{"type":"hitl_decision","call_id":"c","decision":"perhaps"}', 'INVALID_FIELD'],
];

/** One answer for each bad frame; the connection lives. */
export const FRAME_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'frame.bad',
    says: 'answers each bad frame with one error and its code, in order, and the connection lives',
    section: 'connecting.md#errors',
    run: async (stage) => {
      const { wire } = await stage.join();
      for (const [text] of BAD) wire.send(text);
      for (const [text, code] of BAD) {
        const error = await wire.next(`the error for ${text.slice(0, 80)}`, about('error'));
        demand(error['code'] === code, `${text.slice(0, 80)} was answered with ${show(error)}, not ${code}`);
      }
      await stage.say(wire, 'read a.txt');
    },
  },
  {
    id: 'frame.reply-to',
    says: 'names the type and the id of the frame that an error answers',
    section: 'connecting.md#errors',
    run: async (stage) => {
      const { wire } = await stage.join();
      wire.send({ type: 'tool_result', call_id: 'no-such-call', result: {} });
      const error = await wire.next('an error', about('error'));
      demandCode(error, 'UNKNOWN_CALL');
      demand(error['reply_to'] === 'no-such-call' && error['reply_to_type'] === 'tool_result', show(error));
      demand(error['retryable'] === false && typeof error['message'] === 'string', show(error));
    },
  },
  {
    id: 'frame.unknown-fields',
    says: 'drops fields that it does not know, and takes null for absent',
    section: 'connecting.md#errors',
    run: async (stage) => {
      const { wire } = await stage.join();
      wire.send({ type: 'user_message', content: 'read a.txt', message_id: stage.session, attachments: null, weather: 'fine' });
      await wire.next('message_accepted', about('message_accepted'));
    },
  },
  {
    id: 'frame.second-hello',
    says: 'answers a second hello with ALREADY_RESOLVED',
    section: 'connecting.md#hello-and-welcome',
    run: async (stage) => {
      const { wire } = await stage.join();
      wire.send({ type: 'hello', protocol_versions: ['2.0'], client_id: stage.session });
      demandCode(await wire.next('an error', about('error')), 'ALREADY_RESOLVED');
    },
  },
  {
    id: 'frame.too-large',
    says: 'refuses a frame over 10 MB and closes with 1009',
    section: 'connecting.md#ends',
    run: async (stage) => {
      const { wire } = await stage.join();
      wire.send({ type: 'user_message', content: 'x'.repeat(10 * 1024 * 1024 + 1) });
      const { code } = await wire.ended;
      demand(code === 1009, `the connection ended with ${String(code)}`);
    },
  },
  {
    id: 'frame.abuse',
    says: 'closes with 4504 when hundreds of bad frames come at once',
    section: 'connecting.md#ends',
    run: async (stage) => {
      const { wire } = await stage.join();
      for (let i = 0; i < 600 && wire.isOpen; i += 1) wire.send('nonsense');
      const { code } = await wire.ended;
      demand(code === 4504, `the connection ended with ${String(code)}`);
    },
  },
];

import { reads } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from '../tools/tool-definition.js';
import { joined, shown, textOf } from '../tools/wording.js';

/** Reads an image or a PDF file, for models that see (docs/specification/tools.md#capabilities). */
export const mediaRead = defineTool({
  name: 'media.read',
  since: '2.1',
  group: 'file',
  access: 'readonly',
  description: 'Reads an image (PNG, JPEG, GIF, WebP) or a PDF file of the workspace as base64.',
  parameters: takes(['path'], {
    path: { type: 'string', description: 'Path of the file, relative to the workspace, with "/" between directories.' },
    pages: { type: 'string', pattern: '^[0-9]{1,5}(-[0-9]{1,5})?$', description: 'Pages of a PDF file, "3" or "1-5", at most 20.' },
    max_bytes: { type: 'integer', minimum: 1, maximum: 3_145_728, default: 3_145_728, description: 'Above it, FILE_TOO_LARGE.' },
  }),
  result: answer(['media_type', 'data'], {
    media_type: { type: 'string', description: '"image/png", "application/pdf", …, by the content.' },
    data: { type: 'string', description: 'base64' },
    width: { type: 'integer', description: 'Of an image, in pixels.' },
    height: { type: 'integer', description: 'Of an image, in pixels.' },
    pages: { type: 'integer', description: 'How many a PDF file has, where that is known.' },
  }),
  essential: ['media_type', 'data'],
  errors: ['FILE_NOT_FOUND', 'FILE_TOO_LARGE', 'ENCODING_ERROR', ...PATH_ERRORS, 'PERMISSION_DENIED', 'INVALID_ARGUMENTS'],
  limits: ['3 MB (3,145,728 bytes)', 'PNG, JPEG, GIF, WebP and PDF'],
  policy: reads('reads an image or a PDF file'),
  standsFor: 'read_file',
  paths: { named: ['path'] },
  describe: (args) => shown(args, 'path'),
  summarise: (result) => {
    const { width, height } = result;
    const size = typeof width === 'number' && typeof height === 'number' ? `${String(width)}×${String(height)}` : undefined;
    return joined(textOf(result, 'media_type'), size);
  },
});

import { formatBytes, formatPlural } from '../text/format.js';

/** What is shown of a file that goes with a message. */
export interface AttachmentChip {
  readonly path: string;
  readonly lines?: string;
  /** `11 lines`, `image, 3.4 KB`. */
  readonly size: string;
}

interface Attached {
  readonly path: string;
  readonly lines?: string | undefined;
  readonly content?: string | undefined;
  readonly media_type?: string | undefined;
}

/** The chip of an attachment. */
export function toChip({ path, lines, content, media_type: type }: Attached): AttachmentChip {
  const size = content === undefined ? '' : type === undefined ? formatPlural(countLines(content), 'line') : imageSize(content);
  return { path, lines, size };
}

/** Reads what the servers keep of the files of a message; none if that is something else. */
export function readChips(attachments: unknown): readonly AttachmentChip[] {
  if (!Array.isArray(attachments)) return [];
  return attachments.flatMap((value: unknown) => {
    const {
      path,
      lines,
      content,
      media_type: type,
    } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
    const text = (field: unknown): string | undefined => (typeof field === 'string' ? field : undefined);
    return typeof path === 'string' ? [toChip({ path, lines: text(lines), content: text(content), media_type: text(type) })] : [];
  });
}

const countLines = (text: string): number => text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
const imageSize = (base64: string): string => `image, ${formatBytes(Math.floor((base64.length * 3) / 4))}`;

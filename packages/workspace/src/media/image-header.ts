/** What a file is by its first bytes. */
export interface MediaHeader {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';
  /** In pixels; of images whose header could be read. */
  readonly width?: number;
  readonly height?: number;
}

const at = (bytes: Buffer, offset: number, text: string): boolean => bytes.toString('latin1', offset, offset + text.length) === text;

/** Markers of JPEG that say how large an image is: a start of frame, but for tables of Huffman codes and arithmetic coding. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Goes from one segment of a JPEG to the next, each of which says how long it is. */
const sizeOfJpeg = (bytes: Buffer): Omit<MediaHeader, 'mediaType'> => {
  for (let offset = 2; offset + 9 <= bytes.length;) {
    if (bytes[offset] !== 0xff) return {};
    const marker = bytes[offset + 1]!;
    if (marker === 0xff) offset += 1;
    else if (isFrame(marker)) return { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) };
    else if (marker === 0xd9 || marker === 0xda) return {};
    else offset += 2 + (marker >= 0xd0 && marker <= 0xd8 ? 0 : bytes.readUInt16BE(offset + 2));
  }
  return {};
};

const sizeOfWebp = (bytes: Buffer): Omit<MediaHeader, 'mediaType'> => {
  if (bytes.length < 30) return {};
  if (at(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (at(bytes, 12, 'VP8 ')) return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (!at(bytes, 12, 'VP8L')) return {};
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
};

/** Reads what an image or a PDF file says of itself; `undefined` for all other files. */
export function readMediaHeader(bytes: Buffer): MediaHeader | undefined {
  if (at(bytes, 0, '\x89PNG\r\n\x1a\n')) {
    const sized = at(bytes, 12, 'IHDR') && bytes.length >= 24;
    return {
      mediaType: 'image/png',
      width: sized ? bytes.readUInt32BE(16) : undefined,
      height: sized ? bytes.readUInt32BE(20) : undefined,
    };
  }
  if (at(bytes, 0, '\xff\xd8\xff')) return { mediaType: 'image/jpeg', ...sizeOfJpeg(bytes) };
  if (at(bytes, 0, 'GIF87a') || at(bytes, 0, 'GIF89a')) {
    const sized = bytes.length >= 10;
    return { mediaType: 'image/gif', width: sized ? bytes.readUInt16LE(6) : undefined, height: sized ? bytes.readUInt16LE(8) : undefined };
  }
  if (at(bytes, 0, 'RIFF') && at(bytes, 8, 'WEBP')) return { mediaType: 'image/webp', ...sizeOfWebp(bytes) };
  return bytes.subarray(0, 1_024).includes('%PDF-') ? { mediaType: 'application/pdf' } : undefined;
}

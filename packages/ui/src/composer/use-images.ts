import { useState } from 'react';
import { LIMITS, type Attachment, type ImageType } from '@codelab/protocol';

/** An image that goes with the next message. */
export interface PastedImage {
  readonly attachment: Attachment;
  /** `data:`, to show it. */
  readonly url: string;
  readonly bytes: number;
}

/** The images of a message that is being written. */
export interface Images {
  readonly images: readonly PastedImage[];
  /** Adds those of the files that are images; resolves with what is wrong with one, as a sentence. */
  add(files: readonly File[]): Promise<string | undefined>;
  remove(image: PastedImage): void;
  clear(): void;
}

const MAX_IMAGES = 8;
const TYPES: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' };

export function useImages(): Images {
  const [images, setImages] = useState<readonly PastedImage[]>([]);
  return {
    images,
    clear: () => setImages([]),
    remove: (image) => setImages((all) => all.filter((one) => one !== image)),
    add: async (files) => {
      const wanted = files.filter(({ type }) => type.startsWith('image/'));
      const unknown = wanted.find(({ type }) => !Object.hasOwn(TYPES, type));
      if (unknown) return `${unknown.name}: models take PNG, JPEG, GIF and WebP images only.`;
      const read = await Promise.all(wanted.map(readImage));
      const large = read.find(({ attachment }) => attachment.content!.length > LIMITS.MAX_ATTACHMENT_CHARACTERS);
      if (large) return `${large.attachment.path} is larger than 3 MB: make it smaller, and paste it again.`;
      if (images.length + read.length > MAX_IMAGES) return `At most ${MAX_IMAGES} images go with a message.`;
      setImages((all) => [...all, ...read.map((image, index) => rename(image, all.length + index + 1))]);
      return undefined;
    },
  };
}

const rename = (image: PastedImage, number: number): PastedImage => {
  const extension = TYPES[image.attachment.media_type!]!;
  const path =
    image.attachment.path === '' || image.attachment.path === 'image.png' ? `pasted-${number}.${extension}` : image.attachment.path;
  return { ...image, attachment: { ...image.attachment, path } };
};

const readImage = (file: File): Promise<PastedImage> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = reader.result as string; // read as a data URL
      const attachment = { path: file.name, content: url.slice(url.indexOf(',') + 1), media_type: file.type as ImageType };
      resolve({ attachment, url, bytes: file.size });
    };
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`, { cause: reader.error }));
    reader.readAsDataURL(file);
  });

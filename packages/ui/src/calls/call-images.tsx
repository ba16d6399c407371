import { useEffect, useState, type ReactNode } from 'react';
import { formatBytes, type CallItem } from '@codelab/client/view';
import { mayHaveImages } from './may-have-images.js';
import { usePort } from '../port/session-context.js';
import type { LoadedImage } from '../port/session-port.js';

/** Nothing but these is shown, whatever a result says of itself: none of them can run or load anything. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Characters of base64 of one picture, some 6 MB. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** The result is in the history once all calls of the same answer have ended: it is asked for again after so many milliseconds. */
const AGAIN_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

interface ShownImage {
  readonly url: string;
  readonly bytes: number;
}

/** The pictures that came of a call. Their bytes are loaded while the card is in the page, and belong to nothing but it. */
export function CallImages({ call }: { readonly call: CallItem }): ReactNode {
  const port = usePort();
  if (port.loadImages === undefined || !mayHaveImages(call)) return null;
  return <Images key={call.callId} call={call} />;
}

function Images({ call: { callId, images = [] } }: { readonly call: CallItem }): ReactNode {
  const port = usePort();
  const [shown, setShown] = useState<readonly ShownImage[]>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const urls: string[] = [];
    const load = async (tries: number): Promise<void> => {
      try {
        const found = (await port.loadImages!(callId)).flatMap(toBlob);
        if (isGone) return;
        urls.push(...found.map((blob) => URL.createObjectURL(blob)));
        setShown(found.map(({ size }, index) => ({ url: urls[index]!, bytes: size })));
      } catch (error) {
        if (isGone) return;
        const pauseMs = AGAIN_MS[tries];
        if ((error as { readonly code?: string }).code !== 'UNKNOWN_CALL') setFault(error instanceof Error ? error.message : String(error));
        else if (pauseMs !== undefined) timer = setTimeout(() => void load(tries + 1), pauseMs);
      }
    };
    void load(0);
    return () => {
      isGone = true;
      clearTimeout(timer);
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, [port, callId]);
  if (fault !== undefined) return <p className="cl-note">Its pictures can’t be shown: {fault}</p>;
  if (shown === undefined) return images.length > 0 ? <p className="cl-note">Loading {describe(images)} …</p> : null;
  if (shown.length === 0) return null;
  return (
    <ul className="cl-images" aria-label="Pictures">
      {shown.map((image, index) => (
        <Picture key={image.url} image={image} name={`Picture ${index + 1} of ${shown.length}`} />
      ))}
    </ul>
  );
}

/** One picture, not higher than a third of a screen until it is pressed. */
function Picture({ image: { url, bytes }, name }: { readonly image: ShownImage; readonly name: string }) {
  const [isLarge, setIsLarge] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return <li className="cl-note">{`${name} is broken (${formatBytes(bytes)}).`}</li>;
  return (
    <li>
      <button
        type="button"
        className="cl-image"
        aria-pressed={isLarge}
        aria-label={`${name}: show it ${isLarge ? 'small' : 'large'}`}
        onClick={() => setIsLarge(!isLarge)}
      >
        <img src={url} alt={name} decoding="async" onError={() => setIsBroken(true)} />
      </button>
    </li>
  );
}

const describe = (images: NonNullable<CallItem['images']>): string =>
  `${images.length === 1 ? 'a picture' : `${images.length} pictures`} (${formatBytes(images.reduce((sum, { bytes }) => sum + bytes, 0))})`;

/** A picture that may be shown, as a file of its type. */
function toBlob({ mediaType, data }: LoadedImage): readonly Blob[] {
  if (!SHOWN_TYPES.has(mediaType) || data.length > MAX_CHARACTERS) return [];
  try {
    return [new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], { type: mediaType })];
  } catch {
    return []; // no base64
  }
}

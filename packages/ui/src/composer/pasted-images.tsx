import { formatBytes } from '@codelab/client/view';
import { CrossIcon } from '../text/icons.js';
import type { Images } from './use-images.js';

/** The images that go with the message. */
export function PastedImages({ images: all }: { readonly images: Images }) {
  if (all.images.length === 0) return null;
  return (
    <ul className="cl-images" aria-label="Images of this message">
      {all.images.map((image) => (
        <li key={image.attachment.path} className="cl-images__one">
          <img src={image.url} alt={`${image.attachment.path}, ${formatBytes(image.bytes)}`} />
          <button
            type="button"
            className="cl-images__remove"
            aria-label={`Remove ${image.attachment.path}`}
            onClick={() => all.remove(image)}
          >
            <CrossIcon />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Why a request with an image by URL is refused: the server doesn't fetch, and neither do we. */
export const NO_IMAGE_URLS = 'the server of this model takes images as data URLs (data:image/png;base64,…) only, not by http URL';

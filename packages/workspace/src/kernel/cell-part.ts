/** One part of what a cell put out. Of an image `text` is '' and `image` is there. */
export interface CellPart {
  /** `stdout`, `stderr` or a media type. */
  readonly type: string;
  text: string;
  readonly image?: CellImage | undefined;
  /** Later displays of this name replace it. */
  readonly name?: string | undefined;
}

/** An image of a cell. */
export interface CellImage {
  /** base64 */
  readonly data: string;
  /** In pixels, where its header tells. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

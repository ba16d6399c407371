import { formatPatch, listChunks, parsePatch } from '@codelab/tools';
import type { FilePatch, Hunk } from '@codelab/tools';

/** The patch with these chunks only, in git's format; line numbers account for what was left out. The text itself if all are kept. */
export function keepChunks(diff: string, picked: ReadonlySet<number>): string {
  const patch = parsePatch(diff);
  const chunks = listChunks(patch);
  if (chunks.every(({ number }) => picked.has(number))) return diff;
  const kept = chunks.filter(({ number }) => picked.has(number));
  const files = patch.filter((file) => kept.some((chunk) => chunk.file === file));
  return formatPatch(
    files.map((file): FilePatch => ({ ...file, hunks: shift(file.hunks, new Set(kept.flatMap(({ hunk }) => hunk ?? []))) })),
  );
}

function shift(hunks: readonly Hunk[], kept: ReadonlySet<Hunk>): readonly Hunk[] {
  let offset = 0;
  const shifted: Hunk[] = [];
  for (const hunk of hunks) {
    if (kept.has(hunk)) shifted.push({ ...hunk, newStart: hunk.newStart + offset });
    else offset += hunk.oldLines - hunk.newLines;
  }
  return shifted;
}

import type { CallItem } from '@codelab/client/view';

/** What may answer with pictures. Of a server of tools nobody but its answer says so, whatever the tool is called. */
const MAKES_IMAGES = /^(?:media\.read$|kernel\.execute$|mcp__)/;

/** Whether pictures of a call are asked for: the history says which it has; of one that has just ended nobody knows. */
export const mayHaveImages = ({ progress, toolName, images }: Pick<CallItem, 'progress' | 'toolName' | 'images'>): boolean =>
  progress === 'done' && (images === undefined ? MAKES_IMAGES.test(toolName) : images.length > 0);

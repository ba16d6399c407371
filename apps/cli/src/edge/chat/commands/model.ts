import { modelEntries } from '../../../core/models/model-entries.js';
import { readModels } from '../../models/read-models.js';
import type { CommandEffect } from './command-effect.js';

export const offerModels: CommandEffect = (chat) => async () => chat.offer(modelEntries(await readModels(chat.place.gateway)));

import { describeModels } from '../../../core/models/describe-models.js';
import { readModels } from '../../models/read-models.js';
import type { CommandEffect } from './command-effect.js';

export const listModels: CommandEffect = (chat) => async () => {
  chat.say(describeModels(await readModels(chat.place.gateway)));
};

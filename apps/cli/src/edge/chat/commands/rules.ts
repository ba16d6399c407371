import { renderRules } from '../../../core/rules/render-rules.js';
import { allRules, readLocalRules, readRules } from '../../rules/read-rules.js';
import type { CommandEffect } from './command-effect.js';

/** Shows the rules on a screen of their own. */
export const showRules: CommandEffect = (chat) => async () => {
  const { gateway, dataDir } = chat.place;
  const rules = allRules(...(await Promise.all([readRules(gateway), readLocalRules(dataDir)])));
  chat.console.page({ title: 'rules', rows: renderRules(rules, Date.now(), chat.console.size.columns - 1), top: 0 });
};

import { Option, type Command } from 'commander';
import { AGENTS, VOCABULARY_CHOICES } from '@codelab/tools';
import { PERMISSION_MODES, permissionModesText } from '../../core/session/permission-mode.js';

/** Adds the options that say how a conversation is led; they are `SessionChoices`. */
export const withSessionChoices = (command: Command, modelOf: 'conversation' | 'turn'): Command =>
  command
    .option('--model <name>', `the model of this ${modelOf}`)
    .option('--agent <name>', `who works: ${AGENTS.map(({ name }) => name).join(', ')}, or one of .codelab/agents (default: coder)`)
    .addOption(
      new Option('--vocabulary <name>', 'in whose words the model calls tools (default: CODELAB_VOCABULARY, else by the model)').choices(
        VOCABULARY_CHOICES,
      ),
    )
    .addOption(new Option('--permission-mode <mode>', `how much is asked. ${permissionModesText()}`).choices(PERMISSION_MODES));

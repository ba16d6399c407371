import { editText } from './edit-text.js';

/** What the user's editor left: new arguments, nothing new, or something that can't be used. */
export type EditedArguments = { readonly args: string } | { readonly fault: string } | undefined;

/** Opens the arguments of a call in the user's editor, as indented JSON. What is no JSON object is opened again with the reason above it. */
export async function editArguments(args: string, toolName: string): Promise<EditedArguments> {
  const edited = await editText({
    fileName: `${toolName}.json`,
    text: `${JSON.stringify(JSON.parse(args) as unknown, null, 2)}\n`,
    comment: '//',
    read: (text) => {
      const fault = faultOf(text);
      return fault === undefined ? { ok: true, value: text.trim() } : { ok: false, fault };
    },
  });
  if (edited === undefined) return undefined;
  return 'fault' in edited ? edited : { args: edited.value };
}

/** Why a text can't be the arguments of a call. */
export function faultOf(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'Arguments are a JSON object: { … }.';
  } catch (error) {
    return `This is no JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`;
  }
}

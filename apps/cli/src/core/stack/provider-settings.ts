/** Stands for the tools file, with what it takes from the environment. */
export const TOOLS_FILE_SETTING = 'the tools file';

/** What decides which models and which tools of the servers a stack offers: the name of each setting that is set, and a keyed digest of its value. */
export type ProviderSettings = Readonly<Record<string, string>>;

/** Whether a stack has nothing but the built-in model. */
export const hasOnlyOffline = (settings: ProviderSettings): boolean => Object.keys(settings).every((name) => name === TOOLS_FILE_SETTING);

/**
 * The settings of ours that a running stack doesn't have, or has with another value. What is set there and not here is no difference: who
 * has set nothing wants nothing else. A stack of another release says nothing, and none differ.
 */
export const missingSettings = (ours: ProviderSettings, theirs: ProviderSettings | undefined): readonly string[] =>
  theirs === undefined ? [] : Object.keys(ours).filter((name) => ours[name] !== theirs[name]);

/** What a person is told about a stack that was started without their settings. */
export const describeMissing = (names: readonly string[]): string =>
  `The services that run here were started with other settings of ${names.join(', ')}: yours have no effect on them.`;

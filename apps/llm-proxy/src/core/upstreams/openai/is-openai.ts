/** Whether a host is OpenAI's own, or Azure's of the same models: other servers speak the dialect, and serve models of any name. */
export const isOpenAi = (hostname: string): boolean =>
  /(?:^|\.)openai\.(?:com|azure\.com)$|\.cognitiveservices\.azure\.com$/i.test(hostname);

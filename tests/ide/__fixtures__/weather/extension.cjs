const vscode = require('vscode');

/** A tool of another extension, as the editor offers it to models. */
exports.activate = (context) => {
  const tool = { invoke: ({ input }) => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(`sunny in ${input.city}`)]) };
  context.subscriptions.push(vscode.lm.registerTool('weather_of', tool));
};

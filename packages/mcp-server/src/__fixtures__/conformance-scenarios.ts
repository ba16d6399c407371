/** Why a scenario says nothing of this server. */
type Inapplicable = { readonly applies: false; readonly why: string };

const fixture = (name: string): Inapplicable => ({ applies: false, why: `it calls ${name}, which only the suite's own example server has` });

/**
 * The scenarios for servers of `@modelcontextprotocol/conformance` 0.1.16, and whether they apply to a server with tools of its own. Another
 * version of the suite must have the same ones, or this list is looked at again.
 */
export const SCENARIOS: Readonly<Record<string, { readonly applies: true } | Inapplicable>> = {
  'server-initialize': { applies: true },
  'logging-set-level': { applies: true },
  ping: { applies: true },
  'completion-complete': { applies: true },
  'tools-list': { applies: true },
  'tools-call-simple-text': fixture('the tool test_simple_text'),
  'tools-call-image': fixture('the tool test_image_content'),
  'tools-call-audio': fixture('the tool test_audio_content'),
  'tools-call-embedded-resource': fixture('the tool test_embedded_resource'),
  'tools-call-mixed-content': fixture('the tool test_multiple_content_types'),
  'tools-call-with-logging': fixture('the tool test_tool_with_logging'),
  'tools-call-error': fixture('the tool test_error_handling'),
  'tools-call-with-progress': fixture('the tool test_tool_with_progress'),
  'tools-call-sampling': fixture('the tool test_sampling'),
  'tools-call-elicitation': fixture('the tool test_elicitation'),
  'json-schema-2020-12': fixture('the tool json_schema_2020_12_tool'),
  'elicitation-sep1034-defaults': fixture('the tool test_elicitation_sep1034_defaults'),
  'server-sse-polling': fixture('the tool test_reconnection'),
  'server-sse-multiple-streams': { applies: true },
  'elicitation-sep1330-enums': fixture('the tool test_elicitation_sep1330_enums'),
  'resources-list': { applies: true },
  'resources-read-text': fixture('the resource test://static-text'),
  'resources-read-binary': fixture('the resource test://static-binary'),
  'resources-templates-read': fixture('the resource test://template/123/data'),
  'resources-subscribe': fixture('the resource test://watched-resource, and this server offers no subscriptions'),
  'resources-unsubscribe': fixture('the resource test://watched-resource, and this server offers no subscriptions'),
  'prompts-list': { applies: true },
  'prompts-get-simple': fixture('the prompt test_simple_prompt'),
  'prompts-get-with-args': fixture('the prompt test_prompt_with_arguments'),
  'prompts-get-embedded-resource': fixture('the prompt test_prompt_with_embedded_resource'),
  'prompts-get-with-image': fixture('the prompt test_prompt_with_image'),
  'dns-rebinding-protection': { applies: true },
};

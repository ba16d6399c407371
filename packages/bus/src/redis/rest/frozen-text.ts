import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** An entry of a stream: its id, its fields and values. */
export type StreamEntry = readonly [id: string, words: readonly string[]];

/** What a session at rest has: hashes, as fields and values one after the other, and streams. */
export interface RestingParts {
  readonly meta: readonly string[];
  readonly calls: readonly string[];
  readonly messages: readonly string[];
  readonly log: readonly StreamEntry[];
  readonly audit: readonly StreamEntry[];
}

/** What most sessions have in their hashes: without it a text as short as theirs could hardly be made smaller. */
const OF_HASHES = Buffer.from(
  [
    '"fence":1,"deadline_ms":605000,"idempotency":"unsafe","state":"waiting_approval","approval":{"reason":"runs a command: ","risk":"high",',
    '"choices":["approve","edit","reject"],"proposals":[{"allows":"run_command: exactly `","rule":{"effect":"allow","tool":"run_command",',
    '"command":["exact":true,"files":[{"path":"commands that begin with ` with plain options and paths of the workspace, in any directory of the ',
    'workspace while stays as it is{"type":"tool_call","call_id":"call_","tool_name":"write_file","args":{"path":"content":"requires_approval":true,',
    '"args_sha256":"{"schema":3,"commits":,"reported":[],"told":{"version":2,"family":"other","date":"2026-11-23","today":"place":"The workspace ',
    'is called \\"project\\", on the branch \\"main\\".","agent":"coder","environment":"files":{"workspace:AGENTS.md":"undone":{"turn":{"turnId":',
    '"turn_","messageId":"msg_","startedAtMs":,"usage":{"inputTokens":,"outputTokens":,"costUsd":,"steps":"context":{"model":"scale":1,"tokens":,',
    '"limit":"uses":[{"callId":"name":"arguments":"providerId":"toolName":"args":{"historyVersion":"meta","calls":,"messages":expiringcancel_turn',
    'history_versioninbox_sizesagentcoderuser_messagesprompt_byteshistory_bytesworkspace{"id":"","name":"","root":"/home/","branch":"main"}mode',
    'mediuminbox_seqexecutorturn_idseqlease_ownerexecutor_tools["read_file","write_file","git.diff","apply_patch","apply_patch_review",',
    '"prompt_user","list_files","search_in_project","run_command","create_directory","git.status","git.log","git.commit","delete_file","move_file",',
    '"run_persistent","kill_process","git.branch"run_idfacts_bytesupdated_atlog_bytesfactslease_untilsyntheticinbox_bytestenantprotocol_version2.1',
    'last_stepstep_fixed_bytessubepochschemacreated_atstatecall_bytessession_idtitlevocabularyautostoredcapabilitiesagent_status agent_switched ',
    'queue_updated todos_updated tool_output tool_statuslease_fenceinbox_doneprompt_hashfacts_first:tool_name:state:bytes:deadline_ms:frame',
    ':idempotency:args_sha256:expires_at:target:seq:fence:given_to:agent:preview:progress:heard_inover:openclosed started 0 "msg_"turn_"call_',
  ].join(''),
);

/** What most sessions have in their streams. */
const OF_STREAMS = Buffer.from(
  [
    '\\"requires_approval\\":false,\\"args_sha256\\":\\"\\",\\"fence\\":1,\\"deadline_ms\\":60000,\\"idempotency\\":\\"safe\\",\\"state\\":\\"ready\\"}","head","{',
    '"unsafe\\",\\"state\\":\\"waiting_approval\\",\\"args\\":{\\"path\\":\\"content\\":\\"command\\":\\"assistant_message\\",\\"content\\":\\"agent_status\\",\\"turn_ended\\",',
    '\\"outcome\\":\\"completed\\",\\"usage\\":{\\"approval_resolved\\",\\"message_accepted\\",\\"message_id\\":\\"msg_todos_updated\\"read_file\\"run_command\\"write_file\\"apply_patch\\"',
    '"target","outcome","allowed","by","policy","reason","reads a file"]],["asked","human","approved","runs a command: writes a file"]],["1795805495633-0",["turn_id",',
    '"turn_","call_id","call_","tool_name","args_sha256","[["1-0",["text","{\\"seq\\":1,\\"type\\":\\"turn_started\\",\\"turn_id\\":\\"turn_\\",\\"message_ids\\":[\\"msg_\\"],\\"model\\":\\"',
    '"]],["2-0",["text","{\\"seq\\":2,\\"type\\":\\"tool_call\\",\\"call_id\\":\\"call_\\",\\"tool_name\\":\\"\\",\\"fence\\":1,\\"type\\":\\"tool_status\\",\\"call_id\\":\\"call_',
    '\\",\\"status\\":\\"calling\\",\\"status\\":\\"done\\",\\"status\\":\\"waiting_approval\\",\\"status\\":\\"generated\\",\\"status\\":\\"generating\\",\\"tool_name\\":\\"read_file\\"}",',
    '"head","{\\"type\\":\\"tool_status\\",\\"call_id\\":\\"call_\\"}"]],["',
  ].join(''),
);

/** The forms of these texts: one is written, all are read. Another dictionary is another form, so none of them is ever edited. */
const DICTIONARIES: Readonly<Record<string, Buffer>> = { '1': OF_HASHES, '2': Buffer.concat([OF_STREAMS, OF_HASHES]) };
const WRITTEN = '2';

/** What a session has as one short text. */
export function freezeText({ meta, calls, messages, log, audit }: RestingParts): string {
  const json = JSON.stringify([meta, calls, messages, log, audit]);
  return WRITTEN + deflateRawSync(Buffer.from(json), { level: 9, dictionary: DICTIONARIES[WRITTEN] }).toString('base64');
}

/** What a text holds; the first form had no streams. */
export function thawText(text: string): RestingParts {
  const dictionary = DICTIONARIES[text.slice(0, 1)];
  if (dictionary === undefined) throw new Error(`a session was frozen in a form that this release does not know: ${text.slice(0, 1)}`);
  const json = inflateRawSync(Buffer.from(text.slice(1), 'base64'), { dictionary }).toString();
  const [meta, calls, messages, log = [], audit = []] = JSON.parse(json) as [string[], string[], string[], StreamEntry[]?, StreamEntry[]?];
  return { meta, calls, messages, log, audit };
}

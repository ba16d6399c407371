import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The hashes of a session at rest: fields and values, one after the other. */
export interface RestingHashes {
  readonly meta: readonly string[];
  readonly calls: readonly string[];
  readonly messages: readonly string[];
}

/** The form of these texts; another dictionary is another form. */
const FORM = '1';

/** What most sessions have in them: without it a text as short as theirs could hardly be made smaller. Never edited: see `FORM`. */
const DICTIONARY = Buffer.from(
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

/** The hashes as one short text. */
export function freezeText(hashes: RestingHashes): string {
  const packed = deflateRawSync(Buffer.from(JSON.stringify([hashes.meta, hashes.calls, hashes.messages])), {
    level: 9,
    dictionary: DICTIONARY,
  });
  return FORM + packed.toString('base64');
}

/** The hashes that a text holds. */
export function thawText(text: string): RestingHashes {
  if (!text.startsWith(FORM)) throw new Error(`a session was frozen in a form that this release does not know: ${text.slice(0, 1)}`);
  const json = inflateRawSync(Buffer.from(text.slice(FORM.length), 'base64'), { dictionary: DICTIONARY }).toString();
  const [meta = [], calls = [], messages = []] = JSON.parse(json) as string[][];
  return { meta, calls, messages };
}

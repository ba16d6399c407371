"""A CodeLab executor in Python, written from docs/protocol alone. It needs the package `websockets` and nothing else.

    python3 codelab_executor.py --url ws://127.0.0.1:8000 --token T --workspace . --message "read README.md"

It runs the tools of a session in one folder, asks at the terminal about each call that has to be decided (`--approve all|none` for
programs), and survives kill -9 at any moment: what it began, and how that ended, stands in a journal that is synced before each effect.
"""
import argparse, asyncio, contextlib, inspect, json, os, random, sys, uuid
import websockets
from journal import Journal
from workspace import TOOLS, ToolError, Workspace, digest

def plain(text):
    """Without control characters: what comes from a model could draw over a question."""
    return "".join(char if char.isprintable() or char in "\n\t" else f"\\x{ord(char):02x}" for char in text)

# --- The executor: the state machine of docs/protocol/executor.md ---
class Call:
    def __init__(self, frame):  # phase: asking → ready → running; then the journal has the answer
        self.frame, self.id, self.phase, self.task, self.operands, self.decision = frame, frame["call_id"], "asking", None, [], None

class Executor:
    def __init__(self, options):
        self.options, self.workspace, identity = options, Workspace(options.workspace), os.path.join(options.state, "client_id")
        os.makedirs(options.state, exist_ok=True)
        if not os.path.exists(identity):
            with open(identity, "x") as file:
                file.write(str(uuid.uuid4()))
        self.client_id = open(identity).read()
        self.journal = Journal(os.path.join(options.state, f"{options.session}.journal"))
        self.calls, self.unsafe, self.terminal, self.outgoing = {}, asyncio.Lock(), asyncio.Lock(), asyncio.Queue()
        self.epoch, self.last, self.executes, self.attempt, self.message_id = "none", 0, False, 0, str(uuid.uuid4())
        self.typed, options.url = asyncio.Queue(), options.url.rstrip("/")
        if options.approve == "ask" and not sys.stdin.isatty():
            options.approve = "none"
        elif options.approve == "ask":
            asyncio.get_running_loop().add_reader(sys.stdin, self.on_line)

    def on_line(self):
        line = sys.stdin.readline()
        if line == "":  # nobody is there
            asyncio.get_running_loop().remove_reader(sys.stdin)
            self.options.approve = "none"
        self.typed.put_nowait(line.strip().lower() if line else None)

    async def run(self):
        while True:
            try:
                async with websockets.connect(f"{self.options.url}/ws/{self.options.session}", max_size=10 * 2**20) as socket:
                    with contextlib.suppress(websockets.ConnectionClosed):
                        await self.speak(socket)
                if socket.close_code == 1000 or 4500 <= (socket.close_code or 1006) < 5000:
                    return print(f"[the connection ended: {socket.close_code}]")
            except (OSError, asyncio.TimeoutError, websockets.InvalidHandshake) as error:
                if any(status in str(error) for status in ("400", "401", "403", "404")):
                    return print(f"[refused: {error}]")
            await asyncio.sleep(min(15, 0.25 * 2**self.attempt) * random.uniform(0.5, 1))
            self.attempt += 1

    async def speak(self, socket):
        self.outgoing = queue = asyncio.Queue()
        self.send("auth", token=self.options.token)
        self.send("hello", protocol_versions=["2.0"], client_id=self.client_id, tools=TOOLS,
                  resume={"epoch": self.epoch, "seq": self.last, "calls": self.journal.evidence()})
        async def write():
            while True:
                await socket.send(await queue.get())
        writer, later = asyncio.ensure_future(write()), asyncio.get_running_loop().call_later
        acknowledging = later(1, lambda: None)
        try:
            async for text in socket:
                frame = json.loads(text)
                seq = None if frame["type"] == "welcome" else frame.get("seq")
                if seq and frame.get("prev_seq", seq - 1) > self.last:
                    return await socket.close(4000)  # a gap: come again, with resume
                if seq and seq <= self.last and not frame.get("redelivered"):
                    continue  # a repeat
                self.last = max(self.last, seq or 0)
                acknowledging.cancel()
                acknowledging = later(1, lambda: self.send("ack", seq=self.last))
                if frame["type"] == "drain":
                    later(frame["retry_after_ms"] / 1000, lambda: asyncio.ensure_future(socket.close(4000)))
                getattr(self, f"on_{frame['type']}", lambda frame: None)(frame)  # what is not known is passed over
        finally:
            writer.cancel()
            acknowledging.cancel()

    def send(self, type, **fields):
        self.outgoing.put_nowait(json.dumps({"type": type, **fields}))

    def on_welcome(self, frame):
        self.epoch, self.last, self.attempt = frame["epoch"], self.last if frame["recovered"] else frame["seq"], 0
        self.on_executor_changed(frame if frame["recovered"] else {"executor": "none"})  # after a snapshot the open calls come again
        self.executes = frame["executor"] == "you"
        for entry in self.journal.entries.values():
            self.answer(entry)
        if self.options.message:
            self.send("user_message", message_id=self.message_id, content=self.options.message)

    def on_executor_changed(self, frame):
        self.executes = frame["executor"] == "you"
        for call in [call for call in self.calls.values() if call.phase != "running" and not self.executes]:
            self.forget(call)

    def on_tool_call(self, frame):
        call, entry = self.calls.get(frame["call_id"]), self.journal.entries.get(frame["call_id"])
        if not self.executes or frame.get("runs_at") == "server" or (call and frame["fence"] < call.frame["fence"]):
            return
        if call and call.phase == "running":
            call.frame = frame
            return self.send("tool_ack", call_id=call.id, fence=frame["fence"], state="started")
        if call and (frame["state"] == "answered" or frame["state"] == "waiting_approval" and frame["args"] != call.frame["args"]):
            call = self.forget(call)
        if frame["state"] == "answered":
            return
        if entry and entry["state"] == "end":
            if entry["body"].get("error", {}).get("code") != "APPROVAL_MISMATCH" or frame["state"] == "ready":
                return self.answer({**entry, "fence": frame["fence"]})
            self.journal.write(frame["call_id"], "settled")  # asked anew
        is_new, call = call is None, call or Call(frame)
        self.calls[call.id], call.frame = call, frame
        if entry and entry["state"] == "begin":
            return self.finish(call, ToolError("OUTCOME_UNKNOWN", "the client died while it ran").body)
        self.send("tool_ack", call_id=call.id, fence=frame["fence"], state="received")
        if frame["state"] == "waiting_approval" and (is_new or call.decision):
            call.task = asyncio.ensure_future(self.ask(call))  # again, if the decision may be lost
        elif frame["state"] == "ready" and call.phase == "asking":
            self.settle(call, frame["args"], frame["args_sha256"])

    def on_approval_resolved(self, frame):
        call = self.calls.get(frame["call_id"])
        if call and call.phase == "asking":
            call.task and call.task.cancel()  # the prompt
            if frame["outcome"] in ("approved", "edited"):
                self.settle(call, frame.get("args", call.frame["args"]), frame["args_sha256"])
            else:
                self.forget(call)

    def on_tool_cancel(self, frame):
        call = self.calls.get(frame["call_id"])
        if call and call.phase == "asking":
            self.forget(call)
        elif call and call.phase == "ready":
            call.task.cancel()  # its task may not even have begun
            self.finish(call, ToolError("CANCELLED", "cancelled before it began").body)
        elif call:
            call.task.cancel()  # run_call() answers

    def on_tool_result_ack(self, frame):
        if frame["call_id"] in self.journal.entries:
            self.journal.write(frame["call_id"], "settled")

    def on_error(self, frame):
        print(plain(f"[{frame['code']}: {frame['message']}]"))
        entry = self.journal.entries.get(frame.get("reply_to"))
        if entry and frame.get("reply_to_type") == "tool_result":
            if frame["retryable"]:
                asyncio.get_running_loop().call_later(1, self.answer, entry)
            else:
                self.journal.write(entry["call_id"], "settled")

    def on_message_accepted(self, frame):
        self.options.message = None

    def on_assistant_message(self, frame):
        print(plain(frame["token"]), end="\n" if frame["is_final"] else "", flush=True)

    def on_turn_ended(self, frame):
        print(f"[turn {frame['status']}]")
        if self.message_id in frame["message_ids"]:
            os._exit(0)  # the journal is synced: nothing is lost

    async def ask(self, call):
        """Asks the human. A decision runs nothing: `approval_resolved` does, whoever decided."""
        frame, args = call.frame, call.frame["args"]
        preview, call.operands = self.workspace.preview(frame["tool_name"], args)
        self.send("tool_preview", call_id=call.id, preview=preview, operands=call.operands)
        if digest(args) != frame["args_sha256"]:
            return print(f"[{call.id}: the arguments are not those of the digest: not to be decided here]")
        answer = {"all": "y", "none": None}.get(self.options.approve, "")
        if self.options.approve == "ask" and not call.decision:
            async with self.terminal:  # one question at a time
                self.typed = asyncio.Queue()  # what was typed before it was asked decides nothing
                print(plain(f"{preview['text']}\nRun this {frame['tool_name']}? [y/N] "), end="", flush=True)
                answer = await self.typed.get()
        call.decision = call.decision or ({"decision": "approve"} if answer == "y" else {"decision": "reject", "no_human": answer is None})
        self.send("hitl_decision", call_id=call.id, args_sha256=frame["args_sha256"], **call.decision)

    def settle(self, call, args, sha256):
        """It may run: if these are the arguments that were decided on."""
        call.phase = "ready"
        if digest(args) != sha256:
            return self.finish(call, ToolError("APPROVAL_MISMATCH", "these are not the arguments that were decided on").body)
        if call.frame["tool_name"] not in TOOLS:
            return self.finish(call, ToolError("TOOL_NOT_FOUND", call.frame["tool_name"]).body)
        call.task = asyncio.ensure_future(self.run_call(call, args))

    async def run_call(self, call, args):
        is_unsafe, tool = call.frame["idempotency"] == "unsafe", getattr(self.workspace, call.frame["tool_name"])
        try:
            async with self.unsafe if is_unsafe else contextlib.nullcontext():  # unsafe ones one after another
                inspect.signature(tool).bind(**args)
                for operand in [*call.operands, *call.frame.get("operands", [])]:
                    if self.workspace.hash(operand["path"]) != operand["sha256"]:
                        raise ToolError("APPROVAL_MISMATCH", f"{operand['path']} is not as it was when it was decided")
                if is_unsafe:
                    self.journal.write(call.id, "begin", sha256=call.frame["args_sha256"])
                call.phase = "running"
                self.send("tool_ack", call_id=call.id, fence=call.frame["fence"], state="started")
                body = {"result": await asyncio.wait_for(tool(**args), call.frame["deadline_ms"] / 1000)}
        except ToolError as error:
            body = error.body
        except asyncio.TimeoutError:
            body = ToolError("TIMEOUT", f"stopped after {call.frame['deadline_ms']} ms").body
        except TypeError as error:
            body = ToolError("INVALID_ARGUMENTS", str(error)).body
        except asyncio.CancelledError:
            if call.id not in self.calls:
                return  # given up before it began
            body = ToolError("CANCELLED", "stopped, as the turn was").body
        self.finish(call, body)

    def finish(self, call, body):
        """The answer is known: into the journal, then out."""
        self.calls.pop(call.id, None)
        facts = {"sha256": call.frame["args_sha256"], "fence": call.frame["fence"], "body": body}
        self.journal.write(call.id, "end", **facts)
        self.answer({"call_id": call.id, "state": "end", **facts})

    def answer(self, entry):
        if entry["state"] == "end":
            self.send("tool_result", call_id=entry["call_id"], fence=entry["fence"], **entry["body"])

    def forget(self, call):
        self.calls.pop(call.id, None)
        call.task and call.task.cancel()

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    environment = {"url": None, "token": None, "workspace": ".", "session": "python", "state": os.path.expanduser("~/.local/state/codelab-python")}
    for name, default in environment.items():
        parser.add_argument(f"--{name}", default=os.environ.get(f"CODELAB_{name.upper()}", default))
    parser.add_argument("--approve", choices=["ask", "all", "none"], default=os.environ.get("CODELAB_APPROVE", "ask"))
    parser.add_argument("--message", default=os.environ.get("CODELAB_MESSAGE"))
    options = parser.parse_args()

    async def main():
        await Executor(options).run()
    asyncio.run(main())

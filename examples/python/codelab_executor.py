"""A CodeLab executor, written from docs/protocol alone. README.md says how to start it, and what it leaves out."""
import asyncio
import contextlib
import hashlib
import json
import os
import random
import signal
import sqlite3
import sys
import termios
import uuid
from decimal import Decimal

import websockets

CODES = {KeyError: "TOOL_NOT_FOUND", FileNotFoundError: "FILE_NOT_FOUND", PermissionError: "PERMISSION_DENIED",
         OSError: "INVALID_PATH", UnicodeDecodeError: "ENCODING_ERROR", Exception: "INVALID_ARGUMENTS"}
MISMATCH, NO_CALL = "APPROVAL_MISMATCH", {"state": "none"}
UNKNOWN = '{"error": {"code": "OUTCOME_UNKNOWN", "message": "it was killed meanwhile"}}'
JOURNAL = f"""
PRAGMA locking_mode = EXCLUSIVE; -- one process at a time
CREATE TABLE IF NOT EXISTS client AS SELECT '{uuid.uuid4()}' AS id;
CREATE TABLE IF NOT EXISTS calls (call_id PRIMARY KEY, args_sha256, fence, state, body);
UPDATE calls SET state = 'unknown', body = '{UNKNOWN}' WHERE state = 'started' -- and then it was killed
"""


def digest(args):
    return hashlib.sha256(canonical(args).encode()).hexdigest()  # raises at a lone surrogate: such have none


def canonical(value):
    """The canonical JSON of RFC 8785."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if type(value) in (int, float):  # as JavaScript writes a double
        text = repr(float(value)).replace("e-0", "e-")
        text = format(Decimal(text), "f") if 1e-6 <= abs(value) < 1e21 else text
        return text.removesuffix(".0") if value else "0"
    return json.dumps(value, ensure_ascii=False)


class ToolError(Exception):
    """A code of the protocol, and a message for the model."""


class Workspace:
    """The files of a folder, and tools of docs/reference/tools.md for them."""

    def __init__(self, root):
        self.root = os.open(root, os.O_DIRECTORY)
        self.tools = {"read_file": self.read_file, "write_file": self.write_file}

    @contextlib.contextmanager
    def folder_of(self, path, make=False):
        """The folder of a path, and the name in it. It is walked and follows no link: none can be swapped in."""
        *folders, name = path.split("/")
        if path.startswith("/") or ".." in path.split("/"):
            raise ToolError("PATH_OUTSIDE_WORKSPACE", f"{path} leads out of the workspace")
        if "\0" in path or len(path) > 255:
            raise ToolError("INVALID_PATH", f"{path!r} is no path")
        with contextlib.ExitStack() as stack:
            here = self.root
            for folder in folders:
                with contextlib.suppress(FileExistsError):
                    make and os.mkdir(folder, dir_fd=here)
                here = os.open(folder, os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
                stack.callback(os.close, here)
            yield here, name

    def read(self, path):
        """The bytes of a file and their digest; of none, nothing and ""."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK  # a pipe is not waited for
        with contextlib.suppress(FileNotFoundError), self.folder_of(path) as (folder, name):
            with open(os.open(name, flags, dir_fd=folder), "rb") as file:
                content = file.read()
                return content, hashlib.sha256(content).hexdigest()
        return b"", ""

    def read_file(self, path):
        content, sha256 = self.read(path)
        if sha256 == "" or len(content) > 2**20:
            raise ToolError("FILE_TOO_LARGE" if sha256 else "FILE_NOT_FOUND", path)
        return {"content": content.decode(), "encoding": "utf-8"}

    def write_file(self, path, content):
        """Leaves the old file or the new one, whenever it is killed."""
        self.read(path)  # fails at a link
        with self.folder_of(path, make=True) as (folder, name):
            new, flags = f".codelab-{uuid.uuid4()}", os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with open(os.open(new, flags, 0o644, dir_fd=folder), "wb", buffering=0) as file:
                size = file.write(content.encode())
                os.fsync(file.fileno())
            os.rename(new, name, src_dir_fd=folder, dst_dir_fd=folder)
        return {"success": True, "bytes_written": size}


class Executor:
    """The state machine of docs/protocol/executor.md. A call is its `tool_call` frame, whose `state` goes on here:
    waiting_approval, given_up, started, done, and unknown after a kill. From started on it is in the journal."""

    def __init__(self, url, token, session, workspace, state, approve, message):
        self.address = {"uri": f"{url}/ws/{session}", "subprotocols": ["codelab.v1", f"codelab.bearer.{token}"]}
        self.approve, self.message = approve, {"message_id": str(uuid.uuid4()), "content": message}
        self.epoch, self.last, self.executes, self.delay = "none", 0, False, 0.25
        self.workspace, self.one_question = Workspace(workspace), asyncio.Lock()
        os.makedirs(state, exist_ok=True)
        self.journal = sqlite3.connect(os.path.join(state, f"{session}.sqlite"), isolation_level=None)
        self.journal.row_factory = sqlite3.Row
        self.journal.executescript(JOURNAL)
        self.client_id = self.journal.execute("SELECT id FROM client").fetchone()["id"]
        self.calls = {row["call_id"]: dict(row) for row in self.journal.execute("SELECT * FROM calls")}

    async def run(self):
        while True:
            try:
                async with websockets.connect(**self.address, max_size=None) as self.socket:
                    with contextlib.suppress(websockets.ConnectionClosed):
                        await self.follow()
                if self.socket.close_code == 1000 or (self.socket.close_code or 0) >= 4500:
                    sys.exit(f"the connection ended: {self.socket.close_code}")
            except (OSError, asyncio.TimeoutError, websockets.InvalidHandshake) as error:
                if "HTTP 4" in str(error) and "HTTP 429" not in str(error):
                    sys.exit(f"refused: {error}")
            await asyncio.sleep(self.delay * random.uniform(0.5, 1))
            self.delay = min(15, self.delay * 2)

    async def follow(self):
        rows = self.journal.execute("SELECT call_id, args_sha256, state FROM calls ORDER BY rowid DESC LIMIT 32")
        resume = {"epoch": self.epoch, "seq": self.last, "calls": [dict(row) for row in rows]}
        await self.send("hello", protocol_versions=["2.0"], client_id=self.client_id, resume=resume,
                        tools=list(self.workspace.tools))
        async for text in self.socket:
            frame = json.loads(text)
            seq = 0 if frame["type"] == "welcome" else frame.get("seq", 0)
            if frame.get("prev_seq", seq - 1) > self.last:
                return await self.socket.close(4000)  # a gap: come again, with resume
            if seq > self.last or seq == 0 or frame.get("redelivered"):  # else: a repeat
                self.last = max(self.last, seq)
                await self.handle(frame, self.calls.get(frame.get("call_id") or frame.get("reply_to"), NO_CALL))
                if seq:
                    await self.send("ack", seq=self.last)

    async def handle(self, frame, call):
        """The table of frame × state: what doesn't stand in it is passed over."""
        loop = asyncio.get_running_loop()
        if "executor" in frame:  # of welcome and executor_changed; what is open and ours comes again
            self.executes = frame["executor"] == "you"
            for each in self.calls.values():
                self.give_up(each)
        match frame["type"], call["state"]:
            case "welcome", _:
                self.epoch, self.delay = frame["epoch"], 0.25
                self.last = self.last if frame["recovered"] else frame["seq"]
                for each in [each for each in self.calls.values() if each.get("body")]:
                    await self.answer(each)
                if self.message["content"]:
                    await self.send("user_message", **self.message)
            case "drain", _:
                loop.call_later(frame["retry_after_ms"] / 1000, asyncio.ensure_future, self.socket.close(4000))
            case "tool_call", _ if not self.executes or frame.get("runs_at") == "server":
                pass  # it is only shown
            case "tool_call", "done" | "unknown" if frame["state"] == "ready" or MISMATCH not in call["body"]:
                call["fence"] = frame["fence"]
                await self.answer(call)
            case "tool_call", _:
                self.give_up(call)
                call = self.calls[frame["call_id"]] = {"bound": [], **call, **frame, "body": None}
                await self.send("tool_ack", call_id=call["call_id"], fence=call["fence"], state="received")
                if call["state"] == "waiting_approval":
                    call["task"] = asyncio.create_task(self.ask(call))
                elif call["state"] == "ready":
                    await self.perform(call)
            case "approval_resolved" | "tool_cancel", "waiting_approval":
                self.give_up(call)
                if frame.get("outcome") in ("approved", "edited"):
                    await self.perform({**call, **frame})
            case "error", "done" | "unknown" if frame["retryable"] and frame["reply_to_type"] == "tool_result":
                loop.call_later(1, asyncio.ensure_future, self.answer(call))
            case "tool_result_ack" | "error", "done" | "unknown" if frame.get("reply_to_type") in (None, "tool_result"):
                del self.calls[call["call_id"]]
                self.journal.execute("DELETE FROM calls WHERE call_id = ?", [call["call_id"]])
            case "assistant_message", _:
                print("".join(c for c in frame["token"] if c.isprintable() or c == "\n"), end="", flush=True)
            case "turn_ended", _ if self.message["message_id"] in frame["message_ids"]:
                print(f"\n[turn {frame['status']}]", flush=True)
                os._exit(0)  # nothing is lost: the journal is on the disk

    async def ask(self, call):
        """Asks the human. A decision runs nothing: `approval_resolved` does, whoever decided."""
        question = f"{call['tool_name']} {json.dumps(call['args'])}"
        with contextlib.suppress(Exception):  # it will fail in the same way
            path = call["args"]["path"] if call["tool_name"] == "write_file" else None
            call["bound"] = [{"path": path, "sha256": self.workspace.read(path)[1]}] if path else []
        await self.send("tool_preview", call_id=call["call_id"], preview={"kind": "text", "text": question},
                        operands=call["bound"])
        if digest(call["args"]) != call["args_sha256"]:
            return print(f"{question}: not to be decided, its digest is that of other arguments")
        decision = {"decision": "approve"} if self.approve == "all" else {"decision": "reject", "no_human": True}
        if self.approve == "ask" and sys.stdin.isatty():
            async with self.one_question:
                termios.tcflush(sys.stdin, termios.TCIFLUSH)  # what was typed before it decides nothing
                line = await asyncio.to_thread(input, f"{question}\nRun it? [y/N] ")
            decision = {"decision": "approve" if line.strip().lower() == "y" else "reject"}
        await self.send("hitl_decision", call_id=call["call_id"], args_sha256=call["args_sha256"], **decision)

    async def perform(self, call):
        """Does it, if arguments and files are those that were decided on."""
        try:
            files = [*call["bound"], *call.get("operands", [])]
            as_decided = all(self.workspace.read(file["path"])[1] == file["sha256"] for file in files)
            if not as_decided or digest(call["args"]) != call["args_sha256"]:
                raise ToolError(MISMATCH, "these are not the arguments, or not the files, that were decided on")
            self.note(call, "started")
            await self.send("tool_ack", call_id=call["call_id"], fence=call["fence"], state="started")
            body = {"result": self.workspace.tools[call["tool_name"]](**call["args"])}
        except Exception as error:
            code = next(CODES[kind] for kind in CODES if isinstance(error, kind))
            code, message = error.args if isinstance(error, ToolError) else (code, str(error))
            body = {"error": {"code": code, "message": message}}
        self.note(call, "done", json.dumps(body))
        await self.answer(call)

    def note(self, call, state, body=None):
        self.calls[call["call_id"]] = call
        call.update(state=state, body=body)
        kept = [call[name] for name in ("call_id", "args_sha256", "fence", "state", "body")]
        self.journal.execute("REPLACE INTO calls VALUES (?, ?, ?, ?, ?)", kept)  # on the disk when it returns

    async def answer(self, call):
        await self.send("tool_result", call_id=call["call_id"], fence=call["fence"], **json.loads(call["body"]))

    async def send(self, type, **fields):
        with contextlib.suppress(websockets.ConnectionClosed):  # what matters is said again after `welcome`
            await self.socket.send(json.dumps({"type": type, **fields}))

    def give_up(self, call):
        if call["state"] == "waiting_approval":
            call["state"] = "given_up"
            call["task"].cancel()


OPTIONS = {"url": "ws://127.0.0.1:8000", "token": "", "session": "python", "workspace": ".", "approve": "ask",
           "state": os.path.expanduser("~/.local/state/codelab-python"), "message": ""}
signal.signal(signal.SIGINT, signal.SIG_DFL)  # it may be killed at any time
asyncio.run(Executor(**{name: os.environ.get(f"CODELAB_{name.upper()}", OPTIONS[name]) for name in OPTIONS}).run())

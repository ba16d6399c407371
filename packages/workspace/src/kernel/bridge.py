"""Run as a program by the user's own Python: starts one Jupyter kernel and stands between it and the client.

Orders come as JSON, one a line, on standard input; events go the same way to standard output. When standard input ends, the client is gone,
however it went: the kernel is killed with its process group, and so is this program.

Orders: the first is {"kernel": name or null, "cwd": folder, "start_seconds": n}; then {"do": "run", "id": n, "code": text} and {"do": "interrupt"}.
Events: ready, missing, failed, stream, display, clear, error, done, died; each is written where it is sent.
"""

import sys

sys.path[:] = [entry for entry in sys.path if entry]  # nothing of the working directory is taken for a library

import json
import os
import queue
import signal
import subprocess
import threading
import time

WAIT_MS = 50  # between two looks for orders while a cell runs
LOOK_SECONDS = 0.25  # between two looks whether the kernel lives
QUIET_SECONDS = 5  # for the other half of an end: a message may be lost in a flood
PIECE_CHARACTERS = 65536
MAX_TEXT = 1048576
MAX_IMAGE_CHARACTERS = 4 * 1048576
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
TEXTS = ("text/plain", "text/markdown", "text/latex", "text/html", "image/svg+xml")
# Runs in a Python kernel after each cell: what programs wrote comes by pipes that a thread of ipykernel reads, and is of this cell, not the next.
DRAIN = """
import select, sys, time
for stream in (sys.stdout, sys.stderr):
    pipe, quiet, deadline = getattr(stream, "_fid", None), 0, time.monotonic() + 0.5
    while pipe is not None and quiet < 2 and time.monotonic() < deadline:
        quiet = 0 if select.select([pipe], [], [], 0)[0] else quiet + 1
        time.sleep(0.002)
"""

lock = threading.Lock()
orders = queue.Queue()
events = os.fdopen(os.dup(1), "w", encoding="ascii")
kernel = {"pid": None, "file": None}


def say(event, **fields):
    text = json.dumps(dict(fields, event=event))
    with lock:
        try:
            events.write(text + "\n")
            events.flush()
        except OSError:
            leave()


def leave():
    """Ends the kernel with its group, and this program at once."""
    pid = kernel["pid"]
    try:
        if pid is not None:
            if os.name == "nt":
                subprocess.call(["taskkill", "/pid", str(pid), "/T", "/F"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            else:
                os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass  # it has ended
    try:
        if kernel["file"]:
            os.unlink(kernel["file"])
    except OSError:
        pass
    os._exit(0)


def listen():
    for line in sys.stdin.buffer:
        orders.put(json.loads(line.decode("utf-8")))
    leave()


def cut(text, limit=MAX_TEXT):
    if len(text) <= limit:
        return text
    half = limit // 2
    return "%s\n… %d characters left out …\n%s" % (text[:half], len(text) - 2 * half, text[-half:])


def shown(data):
    """What a client can use of a display; of an image that is too large, how large it is."""
    kept, large = {}, {}
    for kind, value in data.items():
        if isinstance(value, list):
            value = "".join(str(part) for part in value)
        if kind in IMAGES and isinstance(value, str):
            value = "".join(value.split())
            if len(value) > MAX_IMAGE_CHARACTERS:
                large[kind] = len(value) * 3 // 4
            else:
                kept[kind] = value
        elif kind in TEXTS and isinstance(value, str):
            kept[kind] = cut(value)
        elif kind == "application/json":
            kept[kind] = cut(json.dumps(value, indent=1))
    return {"data": kept, "large": large}


class Bridge:
    def __init__(self, order):
        self.order = order
        import jupyter_client
        import zmq

        self.zmq = zmq
        from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

        self.manager = jupyter_client.KernelManager()
        if order["kernel"] is None:
            argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            spec = KernelSpec(argv=argv, language="python", display_name="Python %d.%d.%d" % sys.version_info[:3])
        else:
            spec = KernelSpecManager().get_kernel_spec(order["kernel"])
        self.manager._kernel_spec = spec
        self.name = spec.display_name
        self.by_message = getattr(spec, "interrupt_mode", "signal") == "message"
        self.afterwards = {"drain": "exec(%r, {})" % DRAIN} if spec.language == "python" else {}

    def start(self):
        # only `stderr` says why a kernel doesn't start; the other stream is the one that events go to
        self.manager.start_kernel(cwd=self.order["cwd"], stdout=subprocess.DEVNULL)
        kernel["file"] = self.manager.connection_file
        provisioner = getattr(self.manager, "provisioner", None)
        kernel["pid"] = getattr(provisioner, "pid", None) or self.manager.kernel.pid
        context = self.zmq.Context()
        info = self.manager.get_connection_info()
        self.iopub, self.shell = context.socket(self.zmq.SUB), context.socket(self.zmq.DEALER)
        self.iopub.setsockopt(self.zmq.RCVHWM, 0)
        self.iopub.setsockopt(self.zmq.SUBSCRIBE, b"")
        for socket, port in ((self.iopub, "iopub_port"), (self.shell, "shell_port")):
            socket.linger = 0
            if info["transport"] == "tcp":
                socket.connect("tcp://%s:%d" % (info["ip"], info[port]))
            else:
                socket.connect("%s://%s-%d" % (info["transport"], info["ip"], info[port]))
        self.poller = self.zmq.Poller()
        self.poller.register(self.iopub, self.zmq.POLLIN)
        self.poller.register(self.shell, self.zmq.POLLIN)
        self.session = self.manager.session
        self.await_ready()

    def await_ready(self):
        """Both sockets are connected once each has brought something."""
        deadline = time.monotonic() + self.order["start_seconds"]
        heard, asked = set(), 0.0
        while len(heard) < 2:
            now = time.monotonic()
            if now > deadline:
                raise RuntimeError("the kernel did not answer within %d seconds" % self.order["start_seconds"])
            if not self.alive():
                raise RuntimeError("the kernel ended while it started")
            if now - asked > 1:
                self.session.send(self.shell, "kernel_info_request", {})
                asked = now
            for socket, _ in self.receive(WAIT_MS):
                heard.add(socket)

    def receive(self, wait_ms):
        """The messages that are there, or come in time."""
        ready = dict(self.poller.poll(wait_ms))
        for socket in (self.iopub, self.shell):
            if socket not in ready:
                continue
            frames = socket.recv_multipart()
            try:
                _, parts = self.session.feed_identities(frames)
                yield socket, self.session.deserialize(parts)
            except Exception:  # signed wrongly, or no message: not of our kernel
                continue

    def alive(self):
        return bool(self.manager.is_alive())

    def interrupt(self):
        if self.by_message or os.name == "nt":
            self.manager.interrupt_kernel()
        else:
            os.killpg(kernel["pid"], signal.SIGINT)

    def run(self, number, code):
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": self.afterwards, "allow_stdin": False, "stop_on_error": True}
        header = self.session.send(self.shell, "execute_request", content)["header"]
        reply, idle, looked, ending = None, False, time.monotonic(), None
        while reply is None or not idle:
            heard = False
            for socket, message in self.receive(WAIT_MS):
                heard = True
                kind, body = message["header"]["msg_type"], message["content"]
                own = message["parent_header"].get("msg_id") == header["msg_id"]
                if socket is self.shell:
                    if own and kind == "execute_reply":
                        reply = body
                elif own and kind == "status" and body.get("execution_state") == "idle":
                    idle = True
                else:
                    self.tell(number, kind, body)
            self.obey()
            now = time.monotonic()
            if reply is not None or idle:
                ending = now if ending is None or (heard and reply is not None) else ending
                if now - ending > QUIET_SECONDS:
                    break
            if not heard and now - looked > LOOK_SECONDS:
                looked = now
                if not self.alive():
                    for _, message in self.receive(LOOK_SECONDS * 1000):
                        self.tell(number, message["header"]["msg_type"], message["content"])
                    return self.died(number)
        reply = reply or {}
        say("done", id=number, count=reply.get("execution_count"), status=reply.get("status", "ok"))

    def died(self, number):
        process = getattr(getattr(self.manager, "provisioner", None), "process", None) or getattr(self.manager, "kernel", None)
        say("died", id=number, code=getattr(process, "returncode", None))

    def obey(self):
        while True:
            try:
                order = orders.get_nowait()
            except queue.Empty:
                return
            if order["do"] == "interrupt":
                self.interrupt()
            else:
                orders.put(order)
                return

    def tell(self, number, kind, body):
        if kind == "stream":
            text = body["text"]
            for start in range(0, len(text), PIECE_CHARACTERS):
                say("stream", id=number, name=body["name"], text=text[start : start + PIECE_CHARACTERS])
        elif kind in ("display_data", "execute_result", "update_display_data"):
            name = (body.get("transient") or {}).get("display_id")
            say("display", id=number, name=name, update=kind == "update_display_data", **shown(body["data"]))
        elif kind == "clear_output":
            say("clear", id=number, wait=bool(body.get("wait")))
        elif kind == "error":
            trace = cut("\n".join(body.get("traceback") or []))
            say("error", id=number, name=str(body.get("ename")), value=cut(str(body.get("evalue")), 16384), traceback=trace)


def main():
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    order = json.loads(sys.stdin.buffer.readline().decode("utf-8"))
    threading.Thread(target=listen, daemon=True).start()
    try:
        bridge = Bridge(order)
        if order["kernel"] is None:
            import ipykernel  # noqa: F401  the kernel itself
    except ImportError as error:
        say("missing", module=error.name or str(error), python=sys.executable)
        leave()
    except Exception as error:  # no such kernel
        say("failed", message="%s: %s" % (type(error).__name__, error))
        leave()
    try:
        bridge.start()
    except Exception as error:
        say("failed", message="%s: %s" % (type(error).__name__, error))
        leave()
    say("ready", pid=kernel["pid"], name=bridge.name, python=sys.executable)
    while True:
        order = orders.get()
        if order["do"] == "run":
            if bridge.alive():
                bridge.run(order["id"], order["code"])
            else:
                bridge.died(order["id"])


try:
    main()
except KeyboardInterrupt:
    leave()

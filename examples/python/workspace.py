"""What an executor does in a folder: three tools of docs/reference/tools.md, and the digest of their arguments."""
import asyncio, contextlib, difflib, hashlib, json, os, signal, stat, time, uuid
from decimal import Decimal

TOOLS = ["read_file", "write_file", "run_command"]

# --- The digest: SHA-256 of the canonical JSON of RFC 8785 ---
def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))  # by UTF-16 code units
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):  # as JavaScript writes a double
        shortest = repr(float(value))
        fixed = format(Decimal(shortest), "f").removesuffix(".0") if 1e-6 <= abs(value) < 1e21 else shortest.replace("e-0", "e-")
        return fixed if value else "0"
    return json.dumps(value, ensure_ascii=False)

def digest(args):
    try:
        return hashlib.sha256(canonical(args).encode()).hexdigest()
    except ValueError:  # a lone surrogate: such arguments have none
        return ""

# --- The workspace: no path leaves it, and a write leaves the old file or the new one ---
class ToolError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.body = code, {"error": {"code": code, "message": message}}

class Workspace:
    def __init__(self, root):
        self.root = os.path.realpath(root)

    @contextlib.contextmanager
    def folder_of(self, path, make=False):
        """The folder of a path, opened, and the name in it. It is walked name by name and follows no link: nothing can be swapped."""
        *folders, name = path.split("/")
        if path.startswith("/") or ".." in (*folders, name):
            raise ToolError("PATH_OUTSIDE_WORKSPACE", f"{path} leads out of the workspace")
        if "\0" in path or len(path) > 255 or name in ("", "."):
            raise ToolError("INVALID_PATH", f"{path!r} names no file")
        here = os.open(self.root, os.O_DIRECTORY)
        try:
            for folder in folders:
                with contextlib.suppress(FileExistsError):
                    make and os.mkdir(folder, dir_fd=here)
                outer, here = here, os.open(folder, os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
                os.close(outer)
            yield here, name
        except OSError as error:  # else: a link, or a file where a folder should be
            codes = {FileNotFoundError: "FILE_NOT_FOUND", PermissionError: "PERMISSION_DENIED"}
            raise ToolError(codes.get(type(error), "INVALID_PATH"), f"{path}: {error.strerror}")
        finally:
            os.close(here)

    def read(self, path):
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK  # a pipe or device is not waited for
        with self.folder_of(path) as (folder, name), open(os.open(name, flags, dir_fd=folder), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ToolError("INVALID_PATH", f"{path} is no file")
            return file.read()

    def read_or_nothing(self, path):
        try:
            return self.read(path)
        except ToolError as error:
            if error.code != "FILE_NOT_FOUND":
                raise

    def hash(self, path):
        with contextlib.suppress(ToolError):
            content = self.read_or_nothing(path)
            return "" if content is None else hashlib.sha256(content).hexdigest()

    async def read_file(self, path):
        try:
            return {"content": self.read(path).decode(), "encoding": "utf-8"}
        except UnicodeDecodeError:
            raise ToolError("ENCODING_ERROR", f"{path} is not UTF-8")

    async def write_file(self, path, content):
        self.read_or_nothing(path)  # fails at a link
        with self.folder_of(path, make=True) as (folder, name):
            new = f".codelab-{uuid.uuid4()}"
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644, dir_fd=folder), "wb") as file:
                size = file.write(content.encode())
                file.flush()
                os.fdatasync(file.fileno())
            os.rename(new, name, src_dir_fd=folder, dst_dir_fd=folder)
            os.fsync(folder)
        return {"success": True, "bytes_written": size}

    async def run_command(self, command, cwd=".", timeout_ms=60_000):
        with self.folder_of(f"{cwd}/x") as (folder, _):
            began, pipe, place = time.monotonic(), asyncio.subprocess.PIPE, os.readlink(f"/proc/self/fd/{folder}")
            child = await asyncio.create_subprocess_shell(command, stdout=pipe, stderr=pipe, cwd=place, start_new_session=True)
        output = asyncio.ensure_future(child.communicate())
        try:
            in_time, _ = await asyncio.wait({output}, timeout=timeout_ms / 1000)
        finally:  # also when the call is cancelled: all its processes end
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
        out, err = [part.decode(errors="replace") for part in await output]
        return {"exit_code": child.returncode, "stdout": out[:65_536], "stderr": err[:65_536], "timed_out": not in_time,
                "duration_ms": round((time.monotonic() - began) * 1000), "truncated": max(len(out), len(err)) > 65_536}

    def preview(self, tool, args):
        """What an approver sees, and the files that the decision depends on."""
        if tool != "write_file":
            return {"kind": "text", "text": f"{tool} {json.dumps(args)}"}, []
        try:
            old, path = self.read_or_nothing(args["path"]), args["path"]
            lines = difflib.unified_diff((old or b"").decode().splitlines(True), args["content"].splitlines(True), path, path)
            return {"kind": "diff", "text": "".join(lines)}, [{"path": path, "sha256": self.hash(path)}]
        except (ToolError, KeyError, ValueError, AttributeError) as error:
            return {"kind": "text", "text": f"{tool} {json.dumps(args)} will fail: {error}"}, []

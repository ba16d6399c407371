"""What was begun, and how it ended: a line for each begin, end and settled, synced to disk before anything follows from it."""
import contextlib, fcntl, json, os

class Journal:
    def __init__(self, path):
        self.entries, self.file = {}, open(path, "a+")  # call_id → its last record
        fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # one process at a time
        self.file.seek(0)
        for line in self.file:
            with contextlib.suppress(ValueError):  # the torn line of a crash
                self.take({"before": True, **json.loads(line)})
        self.file.write("\n")

    def take(self, record):
        self.entries.pop(record["call_id"], None)
        if record["state"] != "settled":
            self.entries[record["call_id"]] = record

    def write(self, call_id, state, **facts):
        self.file.write(json.dumps({"call_id": call_id, "state": state, **facts}) + "\n")
        self.file.flush()
        os.fdatasync(self.file.fileno())  # before the effect, before the answer
        self.take({"call_id": call_id, "state": state, **facts})

    def evidence(self):
        state = lambda entry: "done" if entry["state"] == "end" else "unknown" if "before" in entry else "started"
        return [{"call_id": e["call_id"], "args_sha256": e["sha256"], "state": state(e)} for e in [*self.entries.values()][-32:]]

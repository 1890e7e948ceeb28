"""Requests that attack the machine they run on, through the commands people type: plan, then work.

What is attacked from inside a test is attacked from a `conftest.py` that the request itself writes.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import planvow
from containment import needs_namespaces
from planvow.cassette import SqliteStore, StoredPlan
from planvow.cassette.contained.launch import KEYCTL
from planvow.contract import Step
from planvow.governed.sections.config import load_config

PYTEST = [
    "env",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1",
    sys.executable,
    "-m",
    "pytest",
    "-q",
    "-p",
    "no:cacheprovider",
    "-s",
    ".",
]
SECRET, GRANTED = "hunter2-of-the-ledger", "granted-but-never-told"
CREDENTIALS = {
    "PGPASSWORD": SECRET,
    "AWS_SECRET_ACCESS_KEY": SECRET,
    "UNRELATED": f"postgresql://worker:{SECRET}@db/ledger",
    "SERVICE_TOKEN": GRANTED,
}

PROBE = """
import ctypes, errno, json, os, pathlib, socket, subprocess

def tried(action):
    try:
        return repr(action())[:60]
    except OSError as error:
        return errno.errorcode[error.errno]

def connected(family, address):
    with socket.socket(family) as client:
        client.settimeout(5)
        client.connect(address)

def own_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server:
        connected(socket.AF_INET, server.getsockname())

def through_a_link():
    os.symlink(".git", "way")
    pathlib.Path("way/config").write_text("x")

def settings():
    # Nothing is written: it would be the machine's own.
    tops = [name for name in os.listdir("/proc") if not name.isdigit() and not os.path.islink("/proc/" + name)]
    walks = [walk for top in tops for walk in os.walk("/proc/" + top)]
    below = [os.path.join(folder, name) for folder, _, names in walks for name in names]
    return [path for path in [*("/proc/" + top for top in tops), *below] if os.access(path, os.W_OK)]

def keyring():
    content = ctypes.create_string_buffer(200)
    syscall = ctypes.CDLL(None).syscall
    key = syscall(KEYCTL, 10, -3, b"user", b"of-the-worker", 0)
    return content.raw[:syscall(KEYCTL, 11, key, content, 200, 0)].decode() if key > 0 else "none"

def deeper(*script):
    done = subprocess.run(["unshare", "-Urm", "sh", "-c", "; ".join(script)], capture_output=True, text=True)
    return done.stdout

write = lambda path: lambda: pathlib.Path(path).write_text("x")
found = {
    "write .git": tried(write(".git/config")),
    "write vendored .git": tried(write("vendor/lib/.git/hooks/post-checkout")),
    "write workflow": tried(write(".github/workflows/ci.yml")),
    "write policy": tried(write("planvow.toml")),
    "write other name of policy": tried(write("second.toml")),
    "write through a link": tried(through_a_link),
    "write target of protected link": tried(write("shared/config")),
    "write protected by policy": tried(write("legal/terms.md")),
    "rename .git": tried(lambda: os.rename(".git", "git")),
    "remove policy": tried(lambda: os.unlink("planvow.toml")),
    "replace policy": tried(lambda: os.rename("calc.py", "planvow.toml")),
    "read policy": tried(lambda: open("planvow.toml").read()),
    "list data": tried(lambda: os.listdir(".planvow")),
    "open ledger": tried(lambda: open(".planvow/cassette.db", "rb").read(16)),
    "journal beside ledger": tried(write(".planvow/cassette.db-journal")),
    "read outside": tried(lambda: open("OUTSIDE/secret.txt").read()),
    "write outside": tried(write("OUTSIDE/new.txt")),
    "write system": tried(write("/usr/new.txt")),
    "read shadow": tried(lambda: open("/etc/shadow").read()),
    "outside port": tried(lambda: connected(socket.AF_INET, ("127.0.0.1", PORT))),
    "socket in the tree": tried(lambda: connected(socket.AF_UNIX, "db.sock")),
    "own loopback": tried(own_loopback),
    "write tree": tried(write("made.txt")),
    "interfaces": [name for _, name in socket.if_nameindex()],
    "environment": dict(os.environ),
    "first environment": open("/proc/1/environ").read(),
    "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
    "session": os.getsid(0) != 0,
    "settings": settings(),
    "keyring": keyring(),
    "deeper": deeper("umount -l .planvow && echo opened", "umount -l planvow.toml && echo opened",
                     "mount -o remount,rw,bind .git && echo opened", "umount -l .git && echo opened",
                     "mkdir /tmp/again && mount --bind . /tmp/again && ls /tmp/again/.planvow && echo opened",
                     "umount -l /proc/sys && echo opened", "mount -o remount,rw,bind /proc/sys && echo opened",
                     "mkdir /tmp/proc && mount -t proc new /tmp/proc && echo opened",
                     "echo x > .git/config && echo written"),
}
pathlib.Path("found.json").write_text(json.dumps(found))
print("told:", os.environ["SERVICE_TOKEN"])
"""


NUMBER = KEYCTL[os.uname().machine]
ADD_A_KEY = """
import ctypes, runpy, sys
syscall = ctypes.CDLL(None).syscall
assert syscall(KEYCTL, 1, None) > 0, "no keyring"
assert syscall(ADD, b"user", b"of-the-worker", b"SECRET", 6, -3) > 0, "no key"
sys.argv = ["planvow", *sys.argv[1:]]
runpy.run_module("planvow", run_name="__main__")
"""


def with_a_key(folder, *words, **environment):
    """Run the program in a process whose session has a key in its keyring, as a login with Kerberos has."""
    text = ADD_A_KEY.replace("KEYCTL", str(NUMBER)).replace("ADD", str(NUMBER - 2))
    command = [sys.executable, "-c", text, *map(str, words)]
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


class Site:
    """A repository with everything a request might want to reach, and the commands run in it."""

    def __init__(self, folder: Path) -> None:
        self.outside = folder / "outside"
        self.root = folder / "repo"
        self.outside.mkdir(parents=True)
        (self.outside / "secret.txt").write_text(SECRET)
        for path in (".git/hooks", "vendor/lib/.git/hooks", ".github/workflows", "shared", "legal", "deep/er"):
            (self.root / path).mkdir(parents=True)
        for path in (".git/config", ".github/workflows/ci.yml", "shared/config", "legal/terms.md"):
            (self.root / path).write_text("as it was\n")
        (self.root / "deep/er/.git").symlink_to("../../shared")
        (self.root / "calc.py").write_text("def add(a, b):\n    return a + b\n")
        (self.root / "test_calc.py").write_text(
            "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
        )
        self.policy()
        os.link(self.root / "planvow.toml", self.root / "second.toml")
        self.planvow("cortex", "sections", "build")
        self.number = 0

    def policy(self, *, commands=None, limits="", settings=""):
        seen = [p for p in sys.path if os.path.isdir(p) and not p.startswith((sys.prefix, sys.base_prefix))]
        lines = [f"{name} = {json.dumps(words)}" for name, words in (commands or {"unit": PYTEST}).items()]
        (self.root / "planvow.toml").write_text(
            '[run_test]\ntimeout_seconds = 60\nenvironment = ["SERVICE_TOKEN"]\n'
            f"readable = {json.dumps(seen)}\n{settings}\n"
            f"[run_test.limits]\n{limits}\n[run_test.commands]\n"
            + "\n".join(lines)
            + '\n[write]\nprotect = ["legal/**"]\n'
        )

    def planvow(self, *words, code=0, run=planvow, **given):
        done = run(self.root, *words, **CREDENTIALS, **given)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    def plan(self, *ops, code=0):
        self.number += 1
        request = {"run_id": "attack", "request_id": f"q{self.number}", "intent": "attack", "budgets": {"max_steps": 9},
                   "inputs": {"ops": list(ops)}}  # fmt: skip
        return self.planvow("cortex", "plan", "--request-file", "-", code=code, stdin=json.dumps(request))

    def work(self, *ops, code=0, **given):
        """Post a request, run it, and return the bodies of its receipts."""
        job_id = json.loads(self.plan(*ops).stdout)["job_id"]
        self.planvow("cassette", "work", "--job-id", job_id, code=code, **given)
        return self.receipts(job_id)

    def receipts(self, job_id):
        with SqliteStore(self.root / ".planvow/cassette.db") as store:
            return [receipt.body for receipt in store.receipts(job_id)]

    def log(self, body):
        return (self.root / ".planvow" / body["output"]["log"]).read_bytes()


def write(path, content):
    return {"op": "WRITE_FILE", "refs": {"file_path": path, "content": content}}


def run(name="unit"):
    return {"op": "RUN_TEST", "refs": {"test_name": name}}


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """What a conftest.py found out that tried everything, and the site afterwards."""
    site = Site(tmp_path_factory.mktemp("attacked"))
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        here = os.getcwd()
        os.chdir(site.root)  # a socket's path has little room
        try:
            local.bind("db.sock")
        finally:
            os.chdir(here)
        local.listen()
        probe = PROBE.replace("OUTSIDE", str(site.outside)).replace("PORT", str(server.getsockname()[1]))
        probe = probe.replace("KEYCTL", str(NUMBER))
        bodies = site.work(write("conftest.py", probe), run(), run=with_a_key)  # it has the credentials itself
    return site, bodies, json.loads((site.root / "found.json").read_text())


@needs_namespaces
@pytest.mark.parametrize(
    ("attempt", "answers"),
    [
        ("write .git", {"EROFS"}),
        ("write vendored .git", {"EROFS"}),
        ("write workflow", {"EROFS"}),
        ("write policy", {"EACCES", "EROFS"}),
        ("write other name of policy", {"EACCES", "EROFS"}),
        ("write through a link", {"EROFS"}),
        ("write target of protected link", {"EROFS"}),
        ("write protected by policy", {"EROFS"}),
        ("rename .git", {"EBUSY"}),
        ("remove policy", {"EBUSY"}),
        ("replace policy", {"EBUSY"}),
        ("read policy", {"EACCES"}),
        ("list data", {"EACCES"}),
        ("open ledger", {"EACCES"}),
        ("journal beside ledger", {"EACCES", "EROFS"}),
        ("read outside", {"ENOENT"}),
        ("write outside", {"ENOENT", "EROFS"}),
        ("write system", {"EROFS", "EACCES"}),
        ("read shadow", {"ENOENT"}),
        ("outside port", {"ECONNREFUSED"}),
        ("socket in the tree", {"ECONNREFUSED", "EACCES"}),
        ("own loopback", {"None"}),
        ("write tree", {"1"}),
    ],
)
def test_a_conftest_that_a_request_wrote_reaches_its_tree_and_nothing_else(attacked, attempt, answers):
    _, _, found = attacked
    assert found[attempt] in answers


@needs_namespaces
def test_nothing_protected_is_different_afterwards(attacked):
    site, _, _ = attacked
    for path in (".git/config", ".github/workflows/ci.yml", "shared/config", "legal/terms.md"):
        assert (site.root / path).read_text() == "as it was\n"
    assert os.listdir(site.root / "vendor/lib/.git/hooks") == []
    assert sorted(path.name for path in site.outside.iterdir()) == ["secret.txt"]


@needs_namespaces
def test_a_test_can_write_no_setting_of_the_machine_also_where_the_worker_is_root(attacked):
    assert attacked[2]["settings"] == []


@needs_namespaces
def test_a_test_finds_none_of_the_keys_in_the_workers_keyring(attacked):
    assert attacked[2]["keyring"] == "none"


@needs_namespaces
def test_namespaces_inside_open_nothing_that_is_covered(attacked):
    site, _, found = attacked
    assert found["deeper"] == ""
    assert (site.root / ".git/config").read_text() == "as it was\n"


@needs_namespaces
def test_a_test_sees_no_credential_no_other_process_and_one_interface(attacked):
    _, _, found = attacked
    everything = json.dumps([found["environment"], found["first environment"]])
    assert SECRET not in everything
    assert not [name for name in found["environment"] if name.startswith(("PG", "AWS", "PLANVOW", "UNRELATED"))]
    assert found["environment"]["SERVICE_TOKEN"] == GRANTED
    assert found["interfaces"] == ["lo"]
    assert found["processes"] <= 4


@needs_namespaces
def test_the_receipt_says_what_contained_the_test_and_the_log_tells_no_secret(attacked):
    site, bodies, _ = attacked
    assert bodies[1]["output"]["containment"] == "bubblewrap"
    log = site.log(bodies[1])
    assert b"1 passed" in log
    assert b"told: [secret]" in log
    assert GRANTED.encode() not in log
    assert SECRET not in json.dumps(bodies)


@pytest.mark.parametrize(
    "path", ["planvow.toml", "vendor/lib/.git/hooks/post-checkout", ".github/workflows/x.yml", "a/.planvow/x"]
)
def test_what_decides_on_requests_cannot_be_written_by_one(site, path):
    before = (site.root / "planvow.toml").read_text()
    refused = site.plan(write(path, "[run_test.commands]\nall = ['sh', '-c', 'id']\n"), code=1)
    assert "REQUEST_PATH_REFUSED" in refused.stderr
    assert (site.root / "planvow.toml").read_text() == before


@pytest.mark.parametrize(
    "path", ["planvow.toml", "vendor/lib/.git/hooks/post-checkout", "shared/hooks/x", "legal/new.md"]
)
def test_a_worker_refuses_it_too_whoever_stored_the_step(site, path):
    refs = {"file_path": path, "content": "x"}
    payload = {"refs": refs, "constraints": {}, "expected_outputs": {},
               "policy_hash": load_config(site.root).policy.policy_hash}  # fmt: skip
    plan = StoredPlan(planner_id="forged", planner_version="1", plan_hash="0" * 64, plan={}, request_id="q",
                      steps=(Step(step_id="s1", skill="WRITE_FILE", params=payload),))  # fmt: skip
    with SqliteStore(site.root / ".planvow/cassette.db") as store:
        job_id = store.post("attack", {"request_id": "q"}, plan).job_id
    before = (site.root / "planvow.toml").read_text()
    site.planvow("cassette", "work", code=1)
    assert site.receipts(job_id)[0]["error"]["code"] == "PATH_ESCAPES"
    assert (site.root / "planvow.toml").read_text() == before
    assert not (site.root / "shared/hooks").exists()


def test_a_plan_made_under_another_policy_is_neither_verified_nor_run(site):
    job_id = json.loads(site.plan(write("new.txt", "x")).stdout)["job_id"]
    verify = ("cassette", "plan-verify", "--run-id", "attack", "--request-id", "q1")
    assert site.planvow(*verify).stdout.startswith("match")
    site.policy(limits="processes = 99")
    assert "changed: policy" in site.planvow(*verify, code=1).stdout
    site.planvow("cassette", "work", code=1)
    assert site.receipts(job_id)[0]["error"]["code"] == "POLICY_CHANGED"
    assert not (site.root / "new.txt").exists()


def test_plan_verify_names_the_policy_when_it_refuses_what_was_planned(site):
    site.plan(write("new.txt", "x"))
    site.policy()
    with (site.root / "planvow.toml").open("a") as file:
        file.write('allow = ["docs/**"]\n')
    verified = site.planvow("cassette", "plan-verify", "--run-id", "attack", "--request-id", "q1", code=1)
    assert "changed: policy" in verified.stdout


MAKES = {
    "a new .git": "mkdir -p sub/.git/hooks && echo x > sub/.git/hooks/post-checkout",
    "a second .git behind a renamed folder": "mv vendor v2 && mkdir -p vendor/lib/.git/hooks",
    "a new planvow.toml": "echo x > sub.toml; mkdir -p deeper; mv sub.toml deeper/planvow.toml",
    "a workflow": "mkdir -p sub/.github/workflows && touch sub/.github/workflows/x.yml",
    "a new .git in a folder nobody may open": "mkdir -p sub/.git && chmod 0 sub",
    "another link": "rm deep/er/.git && ln -s ../../.. deep/er/.git",
}

# What is protected leads elsewhere by no change of its own: a folder on the way is exchanged.
ELSEWHERE = {
    "where a link leads": ("apart/.git", "ln -s ../store/git apart/.git", "git"),
    "a link on the way": ("apart/.git", "ln -s store way; ln -s ../way/git apart/.git", "git"),
    "what is not there yet": ("apart/.git", "rm -r store; ln -s ../store/git apart/.git", "git"),
    "where a repository lies": ("apart/.git", "echo gitdir: ../store/git > apart/.git", "git"),
    "its hooks": (
        "apart/.git/config", "mkdir apart/.git; printf '[core]\n hooksPath = ../store/git' > apart/.git/config", "git",
    ),
    "more settings": (
        "apart/.git/config", "mkdir apart/.git; printf '[include]\npath = ../../store/set' > apart/.git/config", "set",
    ),
    "a hook": ("apart/.git/hook", "mkdir apart/.git; ln -s ../../store/set apart/.git/hook", "set"),
}  # fmt: skip
EXCHANGE = "rm -f way; mv store moved 2> /dev/null; mkdir -p way store/git way/git; echo x > store/set"


@needs_namespaces
@pytest.mark.parametrize("what", ELSEWHERE)
def test_what_something_protected_leads_to_cannot_be_exchanged(site, what):
    source, made, named = ELSEWHERE[what]
    (site.root / "apart").mkdir()
    (site.root / "store/git").mkdir(parents=True)
    (site.root / "store/set").write_text("as it was")
    subprocess.run(["sh", "-c", made], cwd=site.root, check=True)
    site.policy(commands={"exchange": ["sh", "-c", EXCHANGE], "quiet": ["true"]})
    assert "error" not in site.work(run("quiet"))[0]
    body = site.work(run("exchange"), code=1)[0]
    assert "quarantine" in body["error"]["message"]
    assert list((site.root / ".planvow/quarantine").rglob("0-*"))
    gone = site.root / (source if "ln -s" in made else f"store/{named}")
    assert not os.path.lexists(gone)


@pytest.mark.parametrize("what", ELSEWHERE)
def test_what_something_protected_leads_to_is_written_by_no_request(site, what):
    _, made, named = ELSEWHERE[what]
    (site.root / "apart").mkdir()
    (site.root / "store/git").mkdir(parents=True)
    subprocess.run(["sh", "-c", made], cwd=site.root, check=True)
    body = site.work(write(f"store/{named}" + ("/hooks/x" if named == "git" else ""), "x"), code=1)[0]
    assert body["error"]["code"] == "PATH_ESCAPES"


@needs_namespaces
@pytest.mark.parametrize("made", MAKES)
def test_what_got_a_protected_name_meanwhile_is_put_into_quarantine(site, made):
    site.policy(commands={"make": ["sh", "-c", MAKES[made]]})
    before = sorted(str(p.relative_to(site.root)) for p in site.root.rglob("*") if p.name in (".git", ".github"))
    body = site.work(run("make"), code=1)[0]
    assert "quarantine" in body["error"]["message"]
    held = list((site.root / ".planvow/quarantine").rglob("*"))
    assert [path.name for path in held if path.name[1] == "-"]
    after = [str(p.relative_to(site.root)) for p in site.root.rglob("*") if p.name in (".git", ".github")]
    assert sorted(path.replace("v2/", "vendor/") for path in after) == before
    assert os.readlink(site.root / "deep/er/.git") == "../../shared"


@needs_namespaces
def test_what_a_killed_workers_test_left_is_put_into_quarantine_by_the_next(site):
    plant = "mkdir -p sub/.git/hooks; echo x > sub/.git/hooks/post-checkout; echo > planted; test -e go || sleep 60"
    site.policy(commands={"plant": ["sh", "-c", plant], "nothing": ["true"]})
    job_id = json.loads(site.plan(run("plant")).stdout)["job_id"]
    words = [sys.executable, "-m", "planvow", "cassette", "work", "--job-id", job_id]
    with subprocess.Popen(words, cwd=site.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as worker:
        while not (site.root / "planted").exists():
            assert worker.poll() is None
            time.sleep(0.02)
        worker.kill()
    assert (site.root / "sub/.git").exists()
    body = site.work(run("nothing"), code=1)[0]
    assert "worker was killed" in body["error"]["message"]
    assert not (site.root / "sub/.git").exists()
    assert list((site.root / ".planvow/quarantine").rglob("0-.git/hooks/post-checkout"))
    assert site.work(run("nothing"))[0]["output"]["exit_code"] == 0
    assert not list((site.root / ".planvow/unsettled").iterdir())


@needs_namespaces
def test_what_a_test_started_ends_with_it_even_in_another_session(site):
    script = f"import time\nMARK = {str(site.root)!r}\ntime.sleep(600)\n"
    starts = f'setsid {sys.executable} -c "$SCRIPT" > /dev/null 2>&1 & setsid setsid sleep 600 > /dev/null & exit 0'
    site.policy(commands={"leave": ["env", f"SCRIPT={script}", "sh", "-c", starts]})
    body = site.work(run("leave"))[0]
    assert body["output"]["exit_code"] == 0
    assert _processes_with(str(site.root)) == []


def _processes_with(words):
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                if words.encode() in (process / "cmdline").read_bytes():
                    found.append(process.name)
            except OSError:
                continue
    return found


def test_output_is_bounded_while_it_is_read(site):
    site.policy(
        commands={"flood": ["sh", "-c", "head -c 300000000 /dev/zero; echo end"]}, settings="uncontained = true"
    )
    job_id = json.loads(site.plan(run("flood")).stdout)["job_id"]
    # A process starts with the peak of whoever started it, so somebody small does.
    starter = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)"
    peak = "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    work = [sys.executable, "-m", "planvow", "cassette", "work"]
    told = subprocess.run(
        [sys.executable, "-c", f"{starter}; {peak}", *work], cwd=site.root, stdout=subprocess.PIPE, check=True
    )
    log = site.log(site.receipts(job_id)[0])
    assert len(log) == 1 << 20
    assert log.endswith(b"\0end\n")
    assert int(told.stdout) * 1024 < 200_000_000


LIMITED = {
    "processes": ("processes = 30", "import os, time\nfor n in range(400):\n if os.fork() == 0: time.sleep(600)"),
    "memory": ("memory_mb = 200", "x = bytearray(400 << 20)"),
    "files": ("file_mb = 2", "open('large', 'wb').write(bytes(3 << 20))"),
    "open files": ("open_files = 40", "x = [open('calc.py') for n in range(50)]"),
    "time on the processor": ("cpu_seconds = 1", "while True: pass"),
    "time on the clock": ("", "import time; time.sleep(600)"),
    "scratch": ("scratch_mb = 2", "open('/tmp/large', 'wb').write(bytes(3 << 20))"),
}


@needs_namespaces
@pytest.mark.parametrize("limit", LIMITED)
def test_a_test_that_goes_beyond_a_limit_fails_and_leaves_nothing_running(site, limit):
    rule, code = LIMITED[limit]
    mark = f"# {site.root}"
    site.policy(commands={"greedy": [sys.executable, "-c", f"{code}\n{mark}"]}, limits=rule)
    asked = run("greedy")
    if limit == "time on the clock":
        asked["constraints"] = {"timeout_seconds": 1}
    body = site.work(asked, code=1)[0]
    assert "'greedy'" in body["error"]["message"]
    assert _processes_with(mark) == []


def test_without_namespaces_a_test_is_refused_unless_the_policy_says_uncontained(site, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    site.policy(commands={"touch": [sys.executable, "-c", "open('ran', 'w')"]})
    body = site.work(run("touch"), code=1, PATH=str(empty))[0]
    assert body["error"]["code"] == "NOT_CONTAINED"
    assert "bwrap" in body["error"]["message"]
    assert not (site.root / "ran").exists()
    shows = "import json, os; json.dump(dict(os.environ), open('ran', 'w'))"
    site.policy(commands={"touch": [sys.executable, "-c", shows]}, settings="uncontained = true")
    body = site.work(run("touch"), PATH=str(empty))[0]
    assert body["output"]["containment"] == "none"
    assert SECRET not in (site.root / "ran").read_text()


def test_a_container_that_lies_in_the_tree_is_not_believed(site):
    (site.root / "bwrap").write_text("#!/bin/sh\nexit 0\n")
    (site.root / "bwrap").chmod(0o755)
    site.policy(commands={"touch": [sys.executable, "-c", "open('ran', 'w')"]})
    body = site.work(run("touch"), code=1, PATH=str(site.root))[0]
    assert body["error"]["code"] == "NOT_CONTAINED"


@needs_namespaces
def test_a_test_writes_no_more_of_the_tree_than_a_request_may(site):
    tries = "for p in ('docs/x', 'new.txt'):\n try: open(p, 'w')\n except OSError: open('docs/no', 'a').write(p)"
    (site.root / "docs").mkdir()
    site.policy(commands={"write": [sys.executable, "-c", tries]})
    with (site.root / "planvow.toml").open("a") as file:
        file.write('allow = ["docs/**"]\n')
    site.work(run("write"))
    assert (site.root / "docs/x").exists()
    assert (site.root / "docs/no").read_text() == "new.txt"
    assert not (site.root / "new.txt").exists()


def test_the_data_folder_stays_below_the_root(site):
    (site.root / "planvow.toml").write_text('[data]\nfolder = "linked"\n')
    (site.root / "linked").symlink_to(site.outside)
    refused = site.planvow("cortex", "sections", "build", code=2)
    assert "leaves the root" in refused.stderr
    assert sorted(path.name for path in site.outside.iterdir()) == ["secret.txt"]

"""Runs a program under system call filters like those that systemd makes of a unit: sandbox.py JSON PROGRAM ARG...

JSON has `allowed`, the names of system calls, for SystemCallFilter= with SystemCallErrorNumber=EPERM, and
`denyWriteExecute` for MemoryDenyWriteExecute= (systemd.exec(5)).
"""

import errno
import json
import os
import sys

import seccomp

PROT_WRITE, PROT_EXEC, SHM_EXEC = 2, 4, 0o100000

settings = json.loads(sys.argv[1])
if settings["denyWriteExecute"]:
    memory = seccomp.SyscallFilter(seccomp.ALLOW)
    refuse = seccomp.ERRNO(errno.EPERM)
    both = PROT_WRITE | PROT_EXEC
    memory.add_rule(refuse, "mmap", seccomp.Arg(2, seccomp.MASKED_EQ, both, both))
    for name in ["mprotect", "pkey_mprotect"]:
        memory.add_rule(refuse, name, seccomp.Arg(2, seccomp.MASKED_EQ, PROT_EXEC, PROT_EXEC))
    memory.add_rule(refuse, "shmat", seccomp.Arg(2, seccomp.MASKED_EQ, SHM_EXEC, SHM_EXEC))
    memory.load()

calls = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
known = 0
for name in settings["allowed"]:
    try:
        calls.add_rule(seccomp.ALLOW, name)
        known += 1
    except (RuntimeError, OSError):
        # Not a system call of this architecture.
        pass
assert known > 100, f"only {known} system calls are allowed"
calls.load()
os.execv(sys.argv[2], sys.argv[2:])

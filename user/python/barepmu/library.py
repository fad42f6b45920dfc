# SPDX-License-Identifier: GPL-2.0
"""The C library, its declarations, and its errors."""
import enum
import re
from pathlib import Path

import cffi

SONAME = "libbarepmu.so.0"

# The header is installed beside this file. cffi knows the types that it includes.
ffi = cffi.FFI()
ffi.cdef(re.sub(r"#ifdef __cplusplus.*?#endif|^#.*?$", "",
                Path(__file__).with_name("barepmu.h").read_text(encoding="ascii"),
                flags=re.M | re.S))
try:
    lib = ffi.dlopen(SONAME)
except OSError as error:
    raise ImportError(f"{SONAME}: not found; install libbarepmu0, or set LD_LIBRARY_PATH "
                      "to its folder") from error

# The header's macro, which is no declaration.
ALL_CPUS = -1

# Reasons why a value is missing or not reliable: barepmu_flag of barepmu.h.
Flag = enum.IntFlag("Flag", {name.removeprefix("BAREPMU_"): value for name, value in
                             ffi.typeof("enum barepmu_flag").relements.items()})


class Error(OSError):
    """A call of the library failed. errno tells the kind; the text is the library's,
    "OBJECT: PROBLEM; REMEDY", in one line."""

    def __str__(self):
        return self.strerror


def checked(code, error):
    """Returns the result of a call, or raises its error."""
    if code < 0:
        raise Error(-code, ffi.string(error.text).decode(errors="replace"))
    return code


def version():
    """Returns the version of the library, such as "0.1"."""
    return ffi.string(lib.barepmu_version()).decode()

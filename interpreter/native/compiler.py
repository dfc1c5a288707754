"""From LLVM assembly to machine code, kept on disk for the next start."""

from __future__ import annotations

import ctypes
import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm

from gdl import cache
from interpreter.native.stack import on_large_stack

#: Modules with this many characters are optimised less: that takes a third less time, and they run as fast.
LONG = 52_000

#: In modules with this many characters each function is optimised once, by itself, which takes half the time;
#: in those twice as long, a little less thoroughly.
VERY_LONG = 90_000

#: A kept file begins with the hash of what follows, so that a truncated or foreign one is recognised.
HASH = hashlib.sha256
_HASH_SIZE = HASH().digest_size


@lru_cache
def _machine() -> llvm.TargetMachine:
    """The machine that this process runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        opt=3, cpu=llvm.get_host_cpu_name(), features=_features(), reloc="pic"
    )


@lru_cache
def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())


@lru_cache
def has_bmi2() -> bool:
    """Whether the processor can spread bits over a mask (x86 `pdep`)."""
    return llvm.get_process_triple().startswith("x86_64") and "+bmi2" in _features().split(",")


class Library:
    """Machine code, with its functions by name. It is compiled when the first of them is asked for."""

    def __init__(self, what: bytes, write: Callable[[], str], keep: bool = True) -> None:
        """Machine code from the disk, if it was kept there, or else of the module that `write` makes now.

        `what` identifies a module: two with equal `what` are equal. Keeping the code only saves time:
        whatever is wrong with the disk, it is made here.
        """
        self._lock = threading.Lock()
        self._engine: llvm.ExecutionEngine | None = None
        folder = cache.folder() if keep else None
        self._path = folder and folder / f"{HASH(_about_this_machine() + what).hexdigest()}.native"
        self._code = _read(self._path) if self._path else None
        self._text = write() if self._code is None else ""

    def function(self, name: str, result: type, arguments: Sequence[type]) -> Callable[..., Any]:
        """A function to call; other threads can run during the call."""
        return ctypes.CFUNCTYPE(result, *arguments)(self.loaded().get_function_address(name))

    def link(self, name: str, address: int) -> None:
        """Make calls of a function with this name, which is in another module, go to this address."""
        place = self.loaded().get_global_value_address(f"{name}.link")
        if place:
            ctypes.c_size_t.from_address(place).value = address

    def loaded(self) -> llvm.ExecutionEngine:
        """The code in memory, compiled if it was not kept."""
        with self._lock:
            if self._engine is None:
                self._engine = self._load()
            return self._engine

    def _load(self) -> llvm.ExecutionEngine:
        if self._code is None:
            self._code = _compile(self._text)
            if self._path:
                _write(self._path, self._code)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine_for_engine())
        engine.add_object_file(llvm.ObjectFileRef.from_data(self._code))
        engine.finalize_object()
        return engine


def _machine_for_engine() -> llvm.TargetMachine:
    """A machine for one engine: an engine takes ownership, so each needs its own."""
    _machine()
    return llvm.Target.from_default_triple().create_target_machine(
        opt=3, cpu=llvm.get_host_cpu_name(), features=_features()
    )


@lru_cache
def _about_this_machine() -> bytes:
    """What identifies the processor, LLVM, and the code writer (by its source text)."""
    version = ".".join(map(str, llvm.llvm_version_info))
    machine = f"{version} {llvm.get_process_triple()} {llvm.get_host_cpu_name()} {_features()}"
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return machine.encode() + HASH(b"".join(source.read_bytes() for source in sources)).digest()


def _compile(text: str) -> bytes:
    # LLVM recurses as deeply as the code is nested.
    return on_large_stack(lambda: _compiled(text))


def _compiled(text: str) -> bytes:
    machine = _machine()
    module = llvm.parse_assembly(text)
    # Without these, the optimiser and the code generator disagree on the layout of wide integers.
    module.data_layout, module.triple = str(machine.target_data), machine.triple
    module.verify()
    _optimise(module, len(text))
    return bytes(machine.emit_object(module))


def _optimise(module: llvm.ModuleRef, length: int) -> None:
    level = 3 if length < LONG else 2 if VERY_LONG <= length < 2 * VERY_LONG else 1
    passes = llvm.create_pass_builder(_machine(), llvm.create_pipeline_tuning_options(speed_level=level))
    if length < VERY_LONG:
        passes.getModulePassManager().run(module, passes)
        return
    whole = llvm.create_new_module_pass_manager()
    whole.add_post_order_function_attributes_pass()
    whole.add_always_inliner_pass()
    whole.add_global_dead_code_eliminate_pass()
    whole.run(module, passes)
    each = passes.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            each.run(function, passes)


def _read(path: Path) -> bytes | None:
    """The code kept in a file, or None if there is none or it is damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    code = data[_HASH_SIZE:]
    return code if code and HASH(code).digest() == data[:_HASH_SIZE] else None


def _write(path: Path, code: bytes) -> None:
    """Keep code in a file, which appears whole or not at all, even if other processes do the same."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(HASH(code).digest() + code)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
    except OSError:
        pass

"""Where and when the benchmarks ran."""

from __future__ import annotations

import datetime
import os
import platform
import re
from pathlib import Path

# From the widest to the narrowest.
VECTORS = {"avx512bw": "AVX-512BW", "avx2": "AVX2", "sse2": "SSE2", "asimd": "NEON"}


def describe() -> dict:
    """`flags` are the CPU flags that targets refer to."""
    try:
        cpu = Path("/proc/cpuinfo").read_text()
    except OSError:
        cpu = ""
    model = re.search(r"^model name\s*: (.*)$", cpu, re.MULTILINE)
    flags = re.search(r"^(?:flags|Features)\s*: (.*)$", cpu, re.MULTILINE)
    flags = [flag for flag in VECTORS if flags and flag in flags[1].split()]
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "model": " ".join(model[1].split()) if model else platform.machine(),
        "vectors": VECTORS[flags[0]] if flags else "no vectors known",
        "flags": flags,
        "system": f"{platform.system()} {platform.release()}",
        "load": f"{os.getloadavg()[0]:.2f}",
    }

#!/usr/bin/env python3
"""Lists what the program defines and never uses: functions (methods and those of ports, too), types, constants and
variants of enums whose name stands in no other place of the program than where it is defined. Tests do not count.

    just uncalled

Compilers tell this of one crate at a time and of private names; here every crate is looked at together. A name that
several things share counts as used when any of them is, so nothing is listed wrongly for that reason, and something may
be missed. What may wait for its issue stands in `uncalled.txt` beside it; anything else makes the command fail.
"""

import re
import sys
from pathlib import Path

CRATES = Path(__file__).resolve().parent.parent / "crates"

# What may wait, a line each: the name, then the reason.
WAITS_FILE = Path(__file__).with_suffix(".txt")

DEFINED = re.compile(r"^\s*pub(?:\([^)]*\))?\s+(?:const\s+|async\s+|unsafe\s+)*(?:fn|struct|enum|trait|type|const|static)\s+(\w+)")
OF_TRAIT = re.compile(r"^    (?:async\s+)?fn\s+(\w+)")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def without_tests(text: str) -> str:
    """The text of a file up to its module of tests, without comments."""
    cut = re.search(r"^#\[cfg\((?:all\()?test", text, re.M)
    lines = (text[: cut.start()] if cut else text).splitlines()
    return "\n".join(re.sub(r"(^|\s)//.*", "", line) for line in lines)


def sources() -> dict[Path, str]:
    found = {}
    for path in sorted(CRATES.glob("**/src/**/*.rs")):
        parts = path.relative_to(CRATES).parts
        is_test = path.stem.endswith("tests") or "tests" in parts or "testing" in parts or path.stem == "testing"
        if not is_test and "simulation" not in parts:
            found[path] = without_tests(path.read_text(encoding="utf-8"))
    return found


def main() -> int:
    texts = sources()
    seen: dict[str, int] = {}
    for text in texts.values():
        # A name that is only passed on (`pub use`) is not used by that.
        text = re.sub(r"^\s*pub(?:\([^)]*\))? use [^;]*;", "", text, flags=re.M)
        for word in WORD.findall(text):
            seen[word] = seen.get(word, 0) + 1
    waits = {}
    for line in WAITS_FILE.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, why = line.partition(" ")
            waits[name] = why.strip()
    found = []
    for path, text in texts.items():
        in_trait = False
        for number, line in enumerate(text.splitlines(), 1):
            in_trait = bool(re.match(r"pub trait ", line)) or (in_trait and not line.startswith("}"))
            match = DEFINED.match(line) or (OF_TRAIT.match(line) if in_trait else None)
            if match:
                # A method of a port is also written where it is implemented.
                own = 1 + (sum(len(re.findall(rf"\bfn {match[1]}\b", t)) for t in texts.values()) - 1 if in_trait else 0)
                if seen.get(match[1], 0) <= own:
                    found.append((path.relative_to(CRATES.parent), number, match[1]))
    names = {name for _, _, name in found}
    new = [f for f in found if f[2] not in waits]
    for path, number, name in found:
        print(f"{path}:{number}: {name}" + (f"  (waits: {waits[name]})" if name in waits else ""))
    gone = sorted(set(waits) - names)
    for name in gone:
        print(f"{WAITS_FILE.name} lists {name}, which is used by now, or gone")
    print(f"{len(new)} without a caller, {len(found) - len(new)} that wait, {len(gone)} listed for nothing")
    return 1 if new or gone else 0


if __name__ == "__main__":
    sys.exit(main())

"""One part of `just operate`; scripts/operate.sh brings what it needs."""
import importlib
import os
import pathlib
import sys

from .processes import Failed

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    part = sys.argv[1]
    if not os.environ.get("PORTAGE_BIN"):
        sys.exit("PORTAGE_BIN must name the program; scripts/operate.sh builds it")
    try:
        importlib.import_module(f"operate.{part}").run(ROOT)
    except Failed as failed:
        sys.exit(f"  {part}: {failed}")


main()

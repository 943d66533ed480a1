#!/usr/bin/env python3
"""Cuts the fonts of names in documents (`fixtures/fonts/NotoSans<Script>-Regular.ttf`) from Noto Sans.

    npm pack @expo-google-fonts/noto-sans-arabic   # and so on, unpacked below FOLDER
    pip install fonttools
    scripts/cut-fonts.py FOLDER

Versions of the packages: docs/data-credits.md. The output is the same on every run.
"""

import pathlib
import sys

from fontTools import subset
from fontTools.ttLib.tables import otTables

FONTS = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "fonts"


def block(first, last):
    return set(range(first, last + 1))


COMMON = {0x20, 0xA0, 0x200C, 0x200D, 0x25CC}
INDIC = COMMON | {0x964, 0x965}
SCRIPTS = {
    "Arabic": COMMON | block(0x600, 0x6FF) | block(0x750, 0x77F) | block(0x8A0, 0x8FF)
    | block(0xFB50, 0xFDFF) | block(0xFE70, 0xFEFC),
    "Armenian": block(0x531, 0x58F) | block(0xFB13, 0xFB17),
    "Bengali": INDIC | block(0x980, 0x9FF),
    "Devanagari": INDIC | block(0x900, 0x97F) | block(0xA8E0, 0xA8FF) | block(0x1CD0, 0x1CFF),
    "Ethiopic": block(0x1200, 0x139F),
    "Georgian": block(0x10A0, 0x10FF) | block(0x1C90, 0x1CBF) | block(0x2D00, 0x2D2F),
    "Gujarati": INDIC | block(0xA80, 0xAFF),
    "Gurmukhi": INDIC | block(0xA00, 0xA7F),
    "Hebrew": COMMON | block(0x591, 0x5F4) | block(0xFB1D, 0xFB4F),
    "KR": block(0x3131, 0x318E) | block(0xAC00, 0xD7A3),
    "Kannada": INDIC | block(0xC80, 0xCFF),
    "Khmer": COMMON | block(0x1780, 0x17FF) | block(0x19E0, 0x19FF),
    "Lao": COMMON | block(0xE81, 0xEDF),
    "Malayalam": INDIC | block(0xD00, 0xD7F),
    "Myanmar": COMMON | block(0x1000, 0x109F),
    "Tamil": INDIC | block(0xB80, 0xBFF),
    "Telugu": INDIC | block(0xC00, 0xC7F),
    "Thai": COMMON | block(0xE01, 0xE5B),
}


def chained(font):
    """Rules that look at coverages, written as chained ones that look at nothing before or after.

    They mean the same. The shaper (harfrust up to 0.13) counts one glyph too many when it asks whether a plain one would
    apply, so that Bengali conjuncts with ba stay apart.
    """
    for lookup in font["GSUB"].table.LookupList.Lookup if "GSUB" in font else []:
        if lookup.LookupType != 5 or any(rule.Format != 3 for rule in lookup.SubTable):
            continue
        rules = []
        for plain in lookup.SubTable:
            rule = otTables.ChainContextSubst()
            rule.Format = 3
            rule.BacktrackGlyphCount, rule.BacktrackCoverage = 0, []
            rule.InputGlyphCount, rule.InputCoverage = len(plain.Coverage), plain.Coverage
            rule.LookAheadGlyphCount, rule.LookAheadCoverage = 0, []
            rule.SubstCount, rule.SubstLookupRecord = len(plain.SubstLookupRecord), plain.SubstLookupRecord
            rules.append(rule)
        lookup.LookupType, lookup.SubTable = 6, rules


def main():
    folder = pathlib.Path(sys.argv[1])
    for script, wanted in SCRIPTS.items():
        sources = sorted(folder.glob(f"**/400Regular/NotoSans{script}_400Regular.ttf"))
        if len(sources) != 1:
            sys.exit(f"one NotoSans{script}_400Regular.ttf is wanted below {folder}, there are {len(sources)}")
        options = subset.Options()
        options.hinting = False
        options.notdef_outline = True
        options.glyph_names = False
        options.recalc_timestamp = False
        options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
        # Korean syllables are one glyph each.
        options.layout_features = [] if script == "KR" else ["*"]
        options.drop_tables += ["meta", "vhea", "vmtx", "VORG"] + (["BASE", "GDEF", "GPOS", "GSUB"] if script == "KR" else [])
        font = subset.load_font(str(sources[0]), options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=wanted & set(font.getBestCmap()))
        subsetter.subset(font)
        chained(font)
        target = FONTS / f"NotoSans{script}-Regular.ttf"
        subset.save_font(font, str(target), options)
        print(target.name, target.stat().st_size)


main()

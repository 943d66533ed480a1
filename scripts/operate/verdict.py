"""What was claimed, what was found, and the figures in between."""
import collections
import sys
import time


class Verdict:
    """Figures are printed as they come; the claims decide how the run ends."""

    def __init__(self, part):
        self.part, self.wrong, self.began = part, [], time.monotonic()

    def say(self, text):
        print(f"  {text}", flush=True)

    def claim(self, text, found):
        """A claim and what speaks against it: nothing, when it holds."""
        against = found if isinstance(found, list) else [] if found else [text]
        self.say(f"{'holds ' if not against else 'WRONG '} {text}")
        # The same words many times are one finding.
        for one, times in collections.Counter(" ".join(str(one).split())[:300] for one in against).most_common(12):
            self.say(f"         {one}" + (f" ({times} times)" if times > 1 else ""))
        if against:
            self.wrong.append(text)

    def end(self):
        took = time.monotonic() - self.began
        self.say(f"{self.part}: {'all claims hold' if not self.wrong else f'{len(self.wrong)} claims do not hold'} ({took:.0f} s)")
        sys.exit(1 if self.wrong else 0)

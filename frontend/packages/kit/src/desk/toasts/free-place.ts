/** From where to where something stands, in pixels from the top of the window. */
export interface Span {
  top: number;
  bottom: number;
}

/** Kept between a toast and what it must not cover. */
const gap = 8;

/**
 * How far above the lower edge of the window something of this height covers none of the spans: as low as that is
 * possible. Null where there is no such place.
 */
export function freeBottom(
  spans: readonly Span[],
  { height, size, margin }: { height: number; size: number; margin: number },
): number | null {
  const places = [margin, ...spans.map(({ top }) => height - top + gap)]
    .filter((place) => place >= margin && height - place - size >= 0)
    .sort((one, other) => one - other);
  const free = (place: number) => {
    const [top, bottom] = [height - place - size, height - place];
    return spans.every((span) => span.bottom <= top || span.top >= bottom);
  };
  return places.find(free) ?? null;
}

const fields = 'input, select, textarea';
const actions = 'button, a[href], summary, [role="button"]';

/** What of the page the toasts would lie over, in their whole column: what somebody can press or fill in there. */
function spansBeside(region: HTMLElement, selector: string): Span[] {
  const column = region.getBoundingClientRect();
  return [...document.querySelectorAll<HTMLElement>(selector)].flatMap((one): Span[] => {
    const box = one.getBoundingClientRect();
    const beside = box.width > 0 && box.right > column.left && box.left < column.right;
    if (!beside || box.bottom <= 0 || box.top >= innerHeight || region.contains(one)) return [];
    // what lies under a dialog cannot be pressed
    const hit = document.elementFromPoint(
      Math.min(Math.max((box.left + box.right) / 2, 0), innerWidth - 1),
      Math.min(Math.max((box.top + box.bottom) / 2, 0), innerHeight - 1),
    );
    const reached = hit && (one.contains(hit) || one.closest('label')?.contains(hit) || region.contains(hit));
    return reached ? [{ top: box.top, bottom: box.bottom }] : [];
  });
}

/** Where the toasts stand, above the lower edge: over nothing that is pressed or filled in, or at least over no button. */
export function placeOf(region: HTMLElement, margin: number): number {
  const size = region.getBoundingClientRect().height;
  const room = { height: innerHeight, size, margin };
  const buttons = spansBeside(region, actions);
  return freeBottom([...buttons, ...spansBeside(region, fields)], room) ?? freeBottom(buttons, room) ?? margin;
}

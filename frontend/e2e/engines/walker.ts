import type { Tab, Thing } from './drive/tab.ts';
import { type Language, text } from '../support/texts.ts';

/** How long anything may take to appear, milliseconds. */
const patience = 20_000;

/** How long a thing must not have moved before it is pressed, milliseconds. */
const atRestFor = 80;

/** How long a click may be under way to the page, milliseconds. */
const arrivesWithin = 1_000;

const lost = 'the driver lost a press or a key';

export type Role = 'heading' | 'button' | 'link' | 'field' | 'check' | 'option';

/** In the page: the first thing of a role that is shown, can be used, and has this name. */
function byRole(role: string, name: string | null): Element | null {
  const selectors: Record<string, string> = {
    heading: 'h1',
    button: 'button, [role="button"]',
    link: 'a[href]',
    field: 'input, textarea, select',
    // the words are as good to press as the box
    check: 'label',
    option: '[role="option"]',
  };
  const plain = (words: string | null | undefined) => (words ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (one: Element) => {
    const by = one.getAttribute('aria-labelledby');
    if (by) {
      return by
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' ');
    }
    const labels = (one as HTMLInputElement).labels;
    return one.getAttribute('aria-label') ?? (labels && labels.length > 0 ? labels[0]?.textContent : one.textContent);
  };
  for (const one of document.querySelectorAll(selectors[role] ?? role)) {
    const shown = one.getClientRects().length > 0 && getComputedStyle(one).visibility !== 'hidden';
    if (!shown || (one as HTMLButtonElement).disabled || one.closest('[inert], [data-disabled]')) continue;
    if (name === null || plain(nameOf(one)) === plain(name)) return one;
  }
  return null;
}

function bySelector(selector: string): Element | null {
  return document.querySelector(selector);
}

/** In the page: where an element stands in the window. */
function placeOf(one: Element): string {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height].join(' ');
}

/** In the page: notes when a click has reached an element. */
function listen(one: Element): void {
  const page = window as { clickArrived?: boolean };
  page.clickArrived = false;
  const note = (event: MouseEvent) => {
    if (event.composedPath().includes(one)) page.clickArrived = true;
  };
  addEventListener('click', note, { capture: true });
}

/** In the page: whether a click has reached the element listened to last. A document that came since has no note. */
function clickArrived(): boolean {
  return (window as { clickArrived?: boolean }).clickArrived ?? true;
}

/** In the page: what a field holds. */
function held(one: Element): string {
  return (one as HTMLInputElement).value;
}

/** In the page: takes everything out of a field, so that the app hears of it. */
function empty(one: Element): void {
  (one as HTMLInputElement).select();
  document.execCommand('delete');
}

/** A field may group what is typed: spaces and strokes do not count. */
const ungrouped = (words: string) => words.replace(/[\s/]/g, '');

/** A person in front of a browser: looks for things by their names, waits until they are there, acts. */
export class Walker {
  readonly tab: Tab;
  readonly language: Language;

  constructor(tab: Tab, language: Language) {
    this.tab = tab;
    this.language = language;
  }

  say(name: string): string {
    return text(this.language, name);
  }

  async until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
    const end = Date.now() + patience;
    for (;;) {
      const found = await look();
      if (found !== null) return found;
      if (Date.now() > end) {
        const seen = await this.tab.ask(() => `${location.pathname}\n${document.body.innerText}`);
        throw new Error(`${what} did not come. The page was ${seen}`);
      }
      await new Promise((later) => {
        setTimeout(later, 100);
      });
    }
  }

  /** By its words in the app's own texts, or any of this role. */
  see(role: Role, name: string | null): Promise<Thing> {
    const words = name === null ? null : this.say(name);
    return this.until(`${role} "${words ?? 'any'}"`, () => this.tab.find(byRole, role, words));
  }

  at(selector: string): Promise<Thing> {
    return this.until(selector, () => this.tab.find(bySelector, selector));
  }

  /**
   * A press on something that moves goes down on one place and up on another, which no engine takes for a click: a
   * page may scroll smoothly, a notice may come above. So it is pressed once it has stayed where it is.
   */
  async atRest(thing: Thing): Promise<Thing> {
    let before = await thing.ask(placeOf);
    return this.until('a thing that stays where it is', async () => {
      await new Promise((later) => {
        setTimeout(later, atRestFor);
      });
      const now = await thing.ask(placeOf);
      const same = now === before;
      before = now;
      return same ? thing : null;
    });
  }

  /** An element drawn anew between looking and acting is looked for again, and what was lost is done again. */
  private async again(act: () => Promise<void>): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await act();
        return;
      } catch (error) {
        const moved = /stale|detached|not connected|no such (element|node)|intercepted|not interactable/i;
        const repeated = moved.test(String(error)) || String(error).includes(lost);
        if (tries === 5 || !repeated) throw error;
      }
    }
  }

  /**
   * A driver on a busy machine loses a press now and then: it answers "done", and no click reaches the page. A person
   * who sees nothing happen presses again; a click that arrives and does nothing is a fault, and stays one.
   */
  press(look: () => Promise<Thing>): Promise<void> {
    return this.again(async () => {
      const thing = await this.atRest(await look());
      await thing.ask(listen);
      await thing.click();
      const end = Date.now() + arrivesWithin;
      while (!(await this.tab.ask(clickArrived))) {
        if (Date.now() > end) throw new Error(lost);
        await new Promise((later) => {
          setTimeout(later, 50);
        });
      }
    });
  }

  tap(role: Role, name: string | null): Promise<void> {
    return this.press(() => this.see(role, name));
  }

  tapAt(selector: string): Promise<void> {
    return this.press(() => this.at(selector));
  }

  type(name: string, words: string): Promise<void> {
    return this.again(async () => {
      await this.tap('field', name);
      const field = await this.see('field', name);
      await field.type(words);
      if (ungrouped(await field.ask(held)) === ungrouped(words)) return;
      await field.ask(empty);
      throw new Error(lost);
    });
  }

  /** A page of the way is there, and nothing on it is a value nobody meant to show. */
  async title(name: string): Promise<void> {
    await this.see('heading', name);
    const words = await this.tab.ask(() => document.body.innerText);
    const wrong = /Invalid Date|\bNaN\b|\bundefined\b|\[object /.exec(words);
    if (wrong) throw new Error(`"${wrong[0]}" on the page "${this.say(name)}":\n${words}`);
  }

  read(selector: string): Promise<string> {
    return this.until(selector, () =>
      this.tab.ask((one) => document.querySelector(one)?.textContent?.trim() || null, selector),
    );
  }
}

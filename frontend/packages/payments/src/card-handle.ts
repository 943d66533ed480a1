import { AlreadySaid } from '@portage/forms';
import type { SummaryItem } from '@portage/kit';

/** What a card form gives the page around it, whichever form it is. */
export interface CardHandle {
  /** A single-use nonce for the card as entered. Rejects with `CardRefused` once the form has shown what is wrong. */
  tokenise(): Promise<string>;
  /** Marks what is wrong with the card as entered, and answers a line for each. Rejects as `tokenise` when there are no fields. */
  check(): Promise<SummaryItem[]>;
}

/** The form of the card has said already what is wrong, or has left it to the form around, which is given the lines. */
export class CardRefused extends AlreadySaid {
  constructor(readonly lines: SummaryItem[] = []) {
    super('card refused');
    this.name = 'CardRefused';
  }
}

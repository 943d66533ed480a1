import { AlreadySaid } from '@portage/forms';

/** What a card form gives the page around it, whichever form it is. */
export interface CardHandle {
  /** A single-use nonce for the card as entered. Rejects with `CardRefused` once the form has shown what is wrong. */
  tokenise(): Promise<string>;
}

/** The form of the card has said already what is wrong; the page has nothing to add. */
export class CardRefused extends AlreadySaid {
  constructor() {
    super('card refused');
    this.name = 'CardRefused';
  }
}

/**
 * A stand-in of the gateway's scripts for tests: it answers the script elements the page adds, as a browser and the real
 * scripts would. Like the real one it refuses a box that has a frame already, and a second teardown.
 */
export interface StandIn {
  /** What the next scripts and mounts do, oldest first; afterwards everything works. */
  scripts: ('load' | 'fail' | 'empty')[];
  mounts: ('work' | 'fail' | 'half')[];
  /** Fields that hold nothing usable. */
  wrong: string[];
  tokens: ('nonce' | 'invalid' | 'network')[];
  /** Script elements the page has added. */
  added: HTMLScriptElement[];
  alive: number;
  /** Nonces given so far. */
  nonces: number;
  teardowns: number;
  focused: string[];
  stop: () => void;
}

type Fields = Record<string, { container: HTMLElement }>;
type Listener = (event: { emittedBy: string; fields: Record<string, { isValid: boolean }> }) => void;

class BraintreeError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export function braintreeStandIn(): StandIn {
  const gateway = window as unknown as { braintree?: Record<string, unknown> };
  const say: StandIn = {
    scripts: [],
    mounts: [],
    wrong: [],
    tokens: [],
    added: [],
    alive: 0,
    nonces: 0,
    teardowns: 0,
    focused: [],
    stop: () => {},
  };

  const hostedFields = {
    create: async ({ fields }: { fields: Fields }) => {
      const boxes = Object.values(fields).map((field) => field.container);
      if (boxes.some((box) => box.querySelector('iframe'))) throw new BraintreeError('HOSTED_FIELDS_DUPLICATE_IFRAME');
      const how = say.mounts.shift() ?? 'work';
      for (const box of how === 'half' ? boxes.slice(0, 2) : boxes)
        if (how !== 'fail') box.append(document.createElement('iframe'));
      await Promise.resolve();
      if (how !== 'work') throw new BraintreeError('HOSTED_FIELDS_TIMEOUT');
      say.alive += 1;
      const listeners: Record<string, Listener[]> = {};
      let gone = false;
      return {
        on: (name: string, listener: Listener) => void (listeners[name] ??= []).push(listener),
        focus: (field: string) => void say.focused.push(field),
        getState: () => ({
          fields: Object.fromEntries(Object.keys(fields).map((name) => [name, { isValid: !say.wrong.includes(name) }])),
        }),
        teardown: async () => {
          if (gone) throw new BraintreeError('METHOD_CALLED_AFTER_TEARDOWN');
          gone = true;
          say.alive -= 1;
          say.teardowns += 1;
          for (const box of boxes) box.replaceChildren();
        },
        tokenize: async () => {
          if (gone) throw new BraintreeError('METHOD_CALLED_AFTER_TEARDOWN');
          const answer = say.tokens.shift() ?? 'nonce';
          if (answer === 'invalid') throw new BraintreeError('HOSTED_FIELDS_FAILED_TOKENIZATION');
          if (answer === 'network') throw new BraintreeError('HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR');
          say.nonces += 1;
          return { nonce: say.nonces === 1 ? 'hosted-nonce' : `hosted-nonce-${say.nonces}` };
        },
      };
    },
  };

  const watch = new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) {
      if (!(node instanceof HTMLScriptElement) || !node.src.includes('braintree-web')) continue;
      say.added.push(node);
      const how = say.scripts.shift() ?? 'load';
      if (how === 'fail') {
        node.dispatchEvent(new Event('error'));
        continue;
      }
      if (how === 'load')
        gateway.braintree = node.src.includes('hosted-fields')
          ? { ...gateway.braintree, hostedFields }
          : { ...gateway.braintree, client: { create: () => Promise.resolve({}) } };
      node.dispatchEvent(new Event('load'));
    }
  });
  watch.observe(document.head, { childList: true });
  say.stop = () => {
    watch.disconnect();
    for (const script of say.added) script.remove();
    delete gateway.braintree;
  };
  return say;
}

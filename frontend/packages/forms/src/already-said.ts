/** Thrown by what a form sends with: the reason is on screen already, so the form says nothing more and stays as it is. */
export class AlreadySaid extends Error {}

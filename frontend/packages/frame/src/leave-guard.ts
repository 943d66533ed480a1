let suspended = false;

/** Our own redirects (sign-in, sign-out) are not leaving; everything typed is kept in storage across them. */
export const leaveGuard = {
  suspend() {
    suspended = true;
  },
  get suspended() {
    return suspended;
  },
  resume() {
    suspended = false;
  },
};

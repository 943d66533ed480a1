let suspended = false;

/** Switches off the question "Leave this page?" while the app itself redirects (sign-in, sign-out): everything typed is kept in storage. */
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

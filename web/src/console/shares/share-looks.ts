/** How the status of a share or room is shown. */
export const LOOKS = {
  active: { icon: 'check', look: 'passed' },
  expired: { icon: 'clock', look: 'expired' },
  revoked: { icon: 'cross', look: 'failed' },
  exhausted: { icon: 'dash', look: 'draft' },
} as const

import type { Submission } from '@kitseal/client'

/** What people read instead of the status of the API. `--json` has the status. */
export const STATUS_WORDS: Readonly<Record<Submission['status'], string>> = {
  PENDING: 'Pending',
  RUNNING: 'Checking',
  PASS: 'Sealed',
  FAIL: 'Needs changes',
  EXPIRED: 'Expired',
}

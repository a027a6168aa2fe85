import type { Access } from '../http/route.ts'

/** Routes that do not declare by themselves who may call them. One without a row prevents the service from starting. */
export const ROUTE_ACCESS: Readonly<Record<string, Access>> = {
  'POST /v1/intake/jobs': { scope: 'submit', role: 'member', isOpen: true },
  'POST /v1/verify/receipt': { scope: 'none', role: 'anyone' },

  'POST /v1/submissions': { scope: 'submit', role: 'member' },
  'POST /v1/submissions/:submission_id/evidence': { scope: 'submit', role: 'member' },
  'OPTIONS /v1/submissions/:submission_id/uploads': { scope: 'submit', role: 'member', isOpen: true },
  'GET /v1/submissions/:submission_id/uploads': { scope: 'submit', role: 'viewer' },
  'POST /v1/submissions/:submission_id/uploads': { scope: 'submit', role: 'member' },
  'GET /v1/submissions/:submission_id/uploads/:upload_id': { scope: 'submit', role: 'member' },
  'PATCH /v1/submissions/:submission_id/uploads/:upload_id': { scope: 'submit', role: 'member' },
  'POST /v1/submissions/:submission_id/uploads/:upload_id': { scope: 'submit', role: 'member' },
  'DELETE /v1/submissions/:submission_id/uploads/:upload_id': { scope: 'submit', role: 'member' },
  'POST /v1/submissions/:submission_id/reissue': { scope: 'admin', role: 'owner' },
  'POST /v1/submissions/:submission_id/resubmit': { scope: 'submit', role: 'member' },
}

import type { Access } from '../http/route.ts'

/** Routes that do not declare by themselves who may call them. One without a row prevents the service from starting. */
export const ROUTE_ACCESS: Readonly<Record<string, Access>> = {
  'POST /v1/intake/jobs': { scope: 'submit', role: 'member', isOpen: true },
  'GET /v1/kits/:kit_id': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/manifest': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/receipt': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/log-proof': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/erasure': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/export/:format': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/download': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/files/*': { scope: 'read', role: 'viewer', isOpen: true },
  'POST /v1/verify/receipt': { scope: 'none', role: 'anyone' },
  'POST /v1/verify/kit': { scope: 'none', role: 'anyone' },

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

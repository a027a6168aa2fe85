// docs/decisions/0293
import type { MemberRole } from '../database/console-schema.ts'
import type { Scope } from '../http/scopes.ts'

/** Who may call a route. */
export interface RouteAccess {
  /** What an API key needs. `none`: any key will do. `session`: no key will do. */
  readonly scope: Scope | 'none' | 'session'
  /** The lowest role of a member. `anyone` needs no session, `self` any, and `operator` that of one, whatever the plan. */
  readonly role: MemberRole | 'self' | 'operator' | 'anyone'
  /** A caller without a key is not rejected: the handler decides what they get. */
  readonly isOpen?: true
  /** What is enough for a draft. The handler asks for the rest. */
  readonly ofDrafts?: Pick<RouteAccess, 'scope' | 'role'>
}

/** Every route of the API and of the console. A route without a row prevents the service from starting. */
export const ROUTE_ACCESS: Readonly<Record<string, RouteAccess>> = {
  'POST /v1/intake/jobs': { scope: 'submit', role: 'member', isOpen: true },
  'GET /v1/intake/jobs/:job_id': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/custody.json': { scope: 'read', role: 'viewer' },
  'GET /v1/kits/:kit_id/custody.pdf': { scope: 'read', role: 'viewer' },
  'GET /v1/kits/:kit_id/manifest': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/receipt': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/log-proof': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/erasure': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/download': { scope: 'read', role: 'viewer', isOpen: true },
  'GET /v1/kits/:kit_id/files/*': { scope: 'read', role: 'viewer', isOpen: true },
  'POST /v1/verify/receipt': { scope: 'none', role: 'anyone' },
  'POST /v1/verify/kit': { scope: 'none', role: 'anyone' },

  'POST /v1/submissions': { scope: 'submit', role: 'member' },
  'GET /v1/submissions': { scope: 'read', role: 'viewer' },
  'GET /v1/submissions/:submission_id': { scope: 'read', role: 'viewer' },
  'PATCH /v1/submissions/:submission_id': { scope: 'submit', role: 'member' },
  'DELETE /v1/submissions/:submission_id': {
    scope: 'admin',
    role: 'owner',
    ofDrafts: { scope: 'submit', role: 'member' },
  },
  'GET /v1/submissions/:submission_id/deliverables': { scope: 'read', role: 'viewer' },
  'GET /v1/submissions/:submission_id/deliverables/*': { scope: 'read', role: 'viewer' },
  'GET /v1/submissions/:submission_id/deliverables/reports/:report': { scope: 'read', role: 'viewer' },
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
  'PUT /v1/submissions/:submission_id/hold': { scope: 'admin', role: 'owner' },
  'DELETE /v1/submissions/:submission_id/hold': { scope: 'admin', role: 'owner' },
  'GET /v1/revocations': { scope: 'read', role: 'viewer' },

  'GET /v1/series': { scope: 'read', role: 'viewer' },
  'GET /v1/series/:series': { scope: 'read', role: 'viewer' },
  'GET /v1/compare': { scope: 'read', role: 'viewer' },

  'GET /v1/profiles': { scope: 'read', role: 'viewer' },
  'GET /v1/profiles/:profile': { scope: 'read', role: 'viewer' },
  'POST /v1/profiles': { scope: 'admin', role: 'manager' },
  'PUT /v1/profiles/:profile': { scope: 'admin', role: 'manager' },
  'DELETE /v1/profiles/:profile': { scope: 'admin', role: 'manager' },

  'POST /v1/shares': { scope: 'shares', role: 'member' },
  'GET /v1/shares': { scope: 'read', role: 'viewer' },
  'GET /v1/shares/:share_id': { scope: 'read', role: 'viewer' },
  'GET /v1/shares/:share_id/accesses': { scope: 'read', role: 'viewer' },
  'PATCH /v1/shares/:share_id': { scope: 'shares', role: 'member' },
  'DELETE /v1/shares/:share_id': { scope: 'shares', role: 'member' },
  'POST /v1/shares/:share_id/links': { scope: 'shares', role: 'member' },
  'DELETE /v1/shares/:share_id/links': { scope: 'shares', role: 'member' },

  'POST /v1/requests': { scope: 'requests', role: 'member' },
  'GET /v1/requests': { scope: 'read', role: 'viewer' },
  'GET /v1/requests/:evidence_request_id': { scope: 'read', role: 'viewer' },
  'PATCH /v1/requests/:evidence_request_id': { scope: 'requests', role: 'member' },
  'POST /v1/requests/:evidence_request_id/copy': { scope: 'requests', role: 'member' },
  'POST /v1/requests/:evidence_request_id/links': { scope: 'requests', role: 'member' },
  'DELETE /v1/requests/:evidence_request_id/links': { scope: 'requests', role: 'member' },
  'POST /v1/requests/:evidence_request_id/remind': { scope: 'requests', role: 'member' },
  'POST /v1/requests/:evidence_request_id/items/:item_id': { scope: 'requests', role: 'member' },
  'POST /v1/requests/:evidence_request_id/accept': { scope: 'requests', role: 'member' },
  'POST /v1/requests/:evidence_request_id/close': { scope: 'requests', role: 'member' },

  'GET /v1/me': { scope: 'none', role: 'viewer' },
  'GET /v1/overview': { scope: 'read', role: 'viewer' },
  'GET /v1/credits': { scope: 'read', role: 'viewer' },
  'GET /v1/trust': { scope: 'read', role: 'viewer' },
  'PUT /v1/trust': { scope: 'admin', role: 'owner' },
  'GET /v1/audit': { scope: 'read', role: 'viewer' },
  'GET /v1/audit/people': { scope: 'read', role: 'viewer' },
  'GET /v1/audit/head': { scope: 'read', role: 'viewer' },
  'GET /v1/audit/export': { scope: 'read', role: 'viewer' },

  'GET /v1/events': { scope: 'read', role: 'viewer' },
  'GET /v1/events/stream': { scope: 'read', role: 'viewer' },

  'POST /v1/webhooks': { scope: 'admin', role: 'owner' },
  'GET /v1/webhooks': { scope: 'admin', role: 'owner' },
  'GET /v1/webhooks/:webhook_id': { scope: 'admin', role: 'owner' },
  'PATCH /v1/webhooks/:webhook_id': { scope: 'admin', role: 'owner' },
  'DELETE /v1/webhooks/:webhook_id': { scope: 'admin', role: 'owner' },
  'POST /v1/webhooks/:webhook_id/rotate': { scope: 'admin', role: 'owner' },
  'POST /v1/webhooks/:webhook_id/replay': { scope: 'admin', role: 'owner' },
  'POST /v1/webhooks/:webhook_id/ping': { scope: 'admin', role: 'owner' },
  'GET /v1/webhooks/:webhook_id/attempts': { scope: 'admin', role: 'owner' },

  'GET /v1/keys': { scope: 'admin', role: 'owner' },
  'POST /v1/keys': { scope: 'admin', role: 'owner' },
  'POST /v1/keys/:key_id/rotate': { scope: 'admin', role: 'owner' },
  'DELETE /v1/keys/:key_id': { scope: 'admin', role: 'owner' },
  'GET /v1/federation': { scope: 'admin', role: 'owner' },
  'POST /v1/federation': { scope: 'admin', role: 'owner' },
  'GET /v1/federation/:federation_id': { scope: 'admin', role: 'owner' },
  'PUT /v1/federation/:federation_id': { scope: 'admin', role: 'owner' },
  'DELETE /v1/federation/:federation_id': { scope: 'admin', role: 'owner' },
  'POST /v1/token': { scope: 'none', role: 'anyone' },

  'GET /console/api/public': { scope: 'session', role: 'anyone' },
  'GET /console/api/public/log': { scope: 'session', role: 'anyone' },
  'POST /console/api/invitation': { scope: 'session', role: 'anyone' },
  'POST /console/api/invitation/options': { scope: 'session', role: 'anyone' },
  'POST /console/api/invitation/accept': { scope: 'session', role: 'anyone' },
  'POST /console/api/sign-in/options': { scope: 'session', role: 'anyone' },
  'POST /console/api/sign-in': { scope: 'session', role: 'anyone' },
  'GET /console/api/oidc/start': { scope: 'session', role: 'anyone' },
  'GET /console/api/oidc/callback': { scope: 'session', role: 'anyone' },
  'GET /console/api/oidc/choices': { scope: 'session', role: 'anyone' },
  'POST /console/api/oidc/choose': { scope: 'session', role: 'anyone' },

  'GET /console/api/me': { scope: 'session', role: 'self' },
  'PATCH /console/api/me': { scope: 'session', role: 'self' },
  'POST /console/api/switch': { scope: 'session', role: 'self' },
  'POST /console/api/sign-out': { scope: 'session', role: 'self' },
  'POST /console/api/sign-out-everywhere': { scope: 'session', role: 'self' },
  'GET /console/api/sessions': { scope: 'session', role: 'self' },
  'DELETE /console/api/sessions/:session_id': { scope: 'session', role: 'self' },
  'POST /console/api/sessions/end-others': { scope: 'session', role: 'self' },
  'GET /console/api/passkeys': { scope: 'session', role: 'self' },
  'POST /console/api/passkeys/options': { scope: 'session', role: 'self' },
  'POST /console/api/passkeys': { scope: 'session', role: 'self' },
  'PATCH /console/api/passkeys/:passkey_id': { scope: 'session', role: 'self' },
  'DELETE /console/api/passkeys/:passkey_id': { scope: 'session', role: 'self' },

  'GET /console/api/members': { scope: 'session', role: 'viewer' },
  'POST /console/api/invitations': { scope: 'session', role: 'owner' },
  'POST /console/api/invitations/:invitation_id/revoke': { scope: 'session', role: 'owner' },
  'PATCH /console/api/members/:member_id': { scope: 'session', role: 'owner' },
  'DELETE /console/api/members/:member_id': { scope: 'session', role: 'owner' },
  'GET /console/api/members/:member_id/leaving': { scope: 'session', role: 'owner' },
  'PATCH /console/api/keys/:key_id': { scope: 'session', role: 'owner' },
  'PATCH /console/api/workspace': { scope: 'session', role: 'owner' },

  'GET /console/api/service': { scope: 'session', role: 'operator' },
  'POST /console/api/service/test-mail': { scope: 'session', role: 'operator' },
  'GET /console/api/service/workspaces': { scope: 'session', role: 'operator' },
  'POST /console/api/service/workspaces': { scope: 'session', role: 'operator' },
  'GET /console/api/service/workspaces/:workspace_id': { scope: 'session', role: 'operator' },
  'PATCH /console/api/service/workspaces/:workspace_id': { scope: 'session', role: 'operator' },
  'POST /console/api/service/workspaces/:workspace_id/confirm-name': { scope: 'session', role: 'operator' },
  'DELETE /console/api/service/workspaces/:workspace_id/members/:member_id': {
    scope: 'session',
    role: 'operator',
  },
  'POST /console/api/service/workspaces/:workspace_id/members/:member_id/reset': {
    scope: 'session',
    role: 'operator',
  },
  'GET /console/api/service/plans': { scope: 'session', role: 'operator' },
  'POST /console/api/service/plans': { scope: 'session', role: 'operator' },
  'PATCH /console/api/service/plans/:plan': { scope: 'session', role: 'operator' },
}

// docs/decisions/0293
import type { MemberRole } from '../database/console-schema.ts'

/** `read` covers everything that changes nothing. */
export const PERMISSIONS = [
  'read',
  'submit',
  'shares',
  'webhooks',
  'keys',
  'members',
  'settings',
  'reissue',
  'custody',
  'requests',
  'profiles',
] as const
export type Permission = (typeof PERMISSIONS)[number]

const BY_ROLE: Readonly<Record<MemberRole, readonly Permission[]>> = {
  viewer: ['read'],
  member: ['read', 'submit', 'shares', 'requests'],
  owner: PERMISSIONS,
}

export const MEMBER_ROLES = Object.keys(BY_ROLE) as readonly MemberRole[]

export const permissionsOf = (role: MemberRole): readonly Permission[] => BY_ROLE[role]

/** `anyone` needs no session. `self` concerns the member's own account and works with any plan. The rest needs a plan with API access. */
export type Access = 'anyone' | 'self' | Permission

/** The permission of every console route. A route without an entry is not served. */
export const ACCESS: Readonly<Record<string, Access>> = {
  'GET /public': 'anyone',
  'GET /public/log': 'anyone',
  'POST /invitation': 'anyone',
  'POST /invitation/options': 'anyone',
  'POST /invitation/accept': 'anyone',
  'POST /sign-in/options': 'anyone',
  'POST /sign-in': 'anyone',
  'GET /oidc/start': 'anyone',
  'GET /oidc/callback': 'anyone',

  'GET /me': 'self',
  'POST /switch': 'self',
  'POST /sign-out': 'self',
  'POST /sign-out-everywhere': 'self',
  'GET /sessions': 'self',
  'DELETE /sessions/:session_id': 'self',
  'POST /sessions/end-others': 'self',
  'GET /passkeys': 'self',
  'POST /passkeys/options': 'self',
  'POST /passkeys': 'self',
  'PATCH /passkeys/:passkey_id': 'self',
  'DELETE /passkeys/:passkey_id': 'self',

  'GET /events': 'read',
  'GET /overview': 'read',
  'GET /submissions': 'read',
  'GET /submissions/:submission_id': 'read',
  'GET /submissions/:submission_id/binder': 'read',
  'GET /v1/submissions': 'read',
  'GET /v1/submissions/:submission_id': 'read',
  'GET /v1/submissions/:submission_id/deliverables': 'read',
  'GET /v1/submissions/:submission_id/deliverables/*': 'read',
  'GET /v1/submissions/:submission_id/deliverables/reports/:report': 'read',
  'OPTIONS /v1/submissions/:submission_id/uploads': 'submit',
  'GET /v1/submissions/:submission_id/uploads': 'read',
  'GET /v1/submissions/:submission_id/uploads/:upload_id': 'submit',
  'GET /kits/:kit_id': 'read',
  'GET /kits/:kit_id/log-proof': 'read',
  'GET /kits/:kit_id/files/*': 'read',
  'GET /compare': 'read',
  'GET /v1/series': 'read',
  'GET /v1/series/:series': 'read',
  'GET /v1/compare': 'read',
  'GET /credits/months': 'read',
  'GET /v1/credits': 'read',
  'GET /audit': 'read',
  'GET /audit/people': 'read',
  'GET /v1/trust': 'read',
  'GET /v1/audit': 'read',
  'GET /v1/audit/head': 'read',
  'GET /v1/audit/export': 'read',
  'GET /members': 'read',
  'GET /v1/profiles': 'read',
  'GET /v1/profiles/:profile': 'read',
  'POST /v1/profiles': 'profiles',
  'PUT /v1/profiles/:profile': 'profiles',
  'DELETE /v1/profiles/:profile': 'profiles',

  'POST /v1/submissions': 'submit',
  'PATCH /v1/submissions/:submission_id': 'submit',
  'POST /v1/submissions/:submission_id/evidence': 'submit',
  'POST /v1/submissions/:submission_id/uploads': 'submit',
  'PATCH /v1/submissions/:submission_id/uploads/:upload_id': 'submit',
  'POST /v1/submissions/:submission_id/uploads/:upload_id': 'submit',
  'DELETE /v1/submissions/:submission_id/uploads/:upload_id': 'submit',
  'POST /submissions/:submission_id/resubmit': 'submit',
  'DELETE /drafts/:submission_id': 'submit',

  'GET /v1/webhooks': 'webhooks',
  'POST /v1/webhooks': 'webhooks',
  'GET /v1/webhooks/:webhook_id': 'webhooks',
  'PATCH /v1/webhooks/:webhook_id': 'webhooks',
  'DELETE /v1/webhooks/:webhook_id': 'webhooks',
  'POST /v1/webhooks/:webhook_id/rotate': 'webhooks',
  'POST /v1/webhooks/:webhook_id/replay': 'webhooks',
  'POST /v1/webhooks/:webhook_id/ping': 'webhooks',
  'GET /v1/webhooks/:webhook_id/attempts': 'webhooks',

  'GET /v1/shares': 'read',
  'GET /v1/shares/:share_id': 'read',
  'GET /v1/shares/:share_id/accesses': 'read',
  'POST /v1/shares': 'shares',
  'DELETE /v1/shares/:share_id': 'shares',
  'GET /v1/requests': 'read',
  'GET /v1/requests/:request_id': 'read',
  'POST /v1/requests': 'requests',
  'PATCH /v1/requests/:request_id': 'requests',
  'POST /v1/requests/:request_id/copy': 'requests',
  'POST /v1/requests/:request_id/links': 'requests',
  'DELETE /v1/requests/:request_id/links': 'requests',
  'POST /v1/requests/:request_id/remind': 'requests',
  'POST /v1/requests/:request_id/items/:item_id': 'requests',
  'POST /v1/requests/:request_id/accept': 'requests',
  'POST /v1/requests/:request_id/close': 'requests',

  'GET /v1/keys': 'keys',
  'POST /v1/keys': 'keys',
  'POST /v1/keys/:key_id/rotate': 'keys',
  'DELETE /v1/keys/:key_id': 'keys',

  'GET /v1/federation': 'keys',
  'POST /v1/federation': 'keys',
  'GET /v1/federation/:federation_id': 'keys',
  'PUT /v1/federation/:federation_id': 'keys',
  'DELETE /v1/federation/:federation_id': 'keys',

  'POST /invitations': 'members',
  'POST /invitations/:invitation_id/revoke': 'members',
  'PATCH /members/:member_id': 'members',
  'DELETE /members/:member_id': 'members',

  'PATCH /workspace': 'settings',
  'PUT /v1/trust': 'settings',

  'GET /revocations': 'read',
  'POST /v1/submissions/:submission_id/reissue': 'reissue',

  'PUT /v1/submissions/:submission_id/hold': 'custody',
  'DELETE /v1/submissions/:submission_id/hold': 'custody',
  'DELETE /v1/submissions/:submission_id': 'custody',
}

export function accessOf(method: string, path: string): Access | undefined {
  return ACCESS[`${method === 'HEAD' ? 'GET' : method} ${path}`]
}

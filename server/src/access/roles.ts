import type { MemberRole } from '../database/console-schema.ts'

/** From the lowest to the highest: each may do what those before it may. */
export const MEMBER_ROLES = ['viewer', 'member', 'manager', 'owner'] as const satisfies readonly MemberRole[]

export const isAtLeast = (role: MemberRole, needed: MemberRole): boolean =>
  MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(needed)

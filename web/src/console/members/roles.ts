import type { Role } from '@kitseal/client/console'

export const ROLES: readonly Role[] = ['owner', 'member', 'viewer']

import type { Role } from '../api-types.generated.ts'

export const ROLES: readonly Role[] = ['owner', 'member', 'viewer']

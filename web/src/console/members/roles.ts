import type { Role } from '../types.ts'

export const ROLES: readonly Role[] = ['owner', 'member', 'viewer']

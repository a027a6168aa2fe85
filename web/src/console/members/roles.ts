import type { Role } from '@kitseal/client/console'
import { texts } from '../../texts/index.ts'

export const MEMBERS = ['members'] as const

const ROLES: readonly Role[] = ['owner', 'manager', 'member', 'viewer']

export const ROLE_CHOICES = ROLES.map((value) => ({ value, label: texts.console.roles.names[value] }))

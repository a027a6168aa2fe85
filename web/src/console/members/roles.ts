import type { Role } from '@kitseal/client/console'
import { t } from '../../core/texts.ts'

export const MEMBERS = ['members'] as const

const ROLES: readonly Role[] = ['owner', 'manager', 'member', 'viewer']

export const ROLE_CHOICES = ROLES.map((value) => ({ value, label: t(`console.roles.names.${value}`) }))

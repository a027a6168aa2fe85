import type { MembersTable } from '../database/console-schema.ts'

/** Anyone can enter any address. It counts if single sign-on or a link of the operator has proved it. */
export const isProved = ({ sso_at, confirmed_at }: Pick<MembersTable, 'sso_at' | 'confirmed_at'>): boolean =>
  sso_at !== null || confirmed_at !== null

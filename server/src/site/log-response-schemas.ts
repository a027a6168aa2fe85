import { Type } from 'typebox'

const Text = Type.String()
const Count = Type.Integer()

export const LogDay = Type.Object({
  day: Type.String({ description: '`2026-11-30`, in UTC.' }),
  added: Count,
  size: Count,
})
export const LogInfo = Type.Object({
  updated_at: Text,
  frozen_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  days: Type.Array(LogDay, { description: 'Today last.' }),
})

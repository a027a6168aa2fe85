import { Type } from 'typebox'

const Text = Type.String()
const Count = Type.Integer()

export const KitLog = Type.Object(
  {
    origin: Text,
    index: Type.Integer({ description: 'From 0.' }),
    size: Type.Integer({ description: 'Of the log, in the newest proof.' }),
    cosigned: Type.Array(Type.Object({ name: Text, at: Text }), {
      description: 'The witnesses in the newest proof, as they name themselves.',
    }),
  },
  { description: 'The place of the receipt in the log. Null if the log is not available.' },
)

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

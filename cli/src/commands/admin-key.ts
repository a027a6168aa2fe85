import type { Administration } from '@kitseal/server'
import type { Terminal } from '../terminal.ts'
import { type Answer, done, refused } from './admin-answer.ts'
import { label, runArea, table, type Verb, wholeNumber } from './admin-area.ts'
import { inWorkspace } from './in-workspace.ts'

const USAGE = `usage: kitseal admin key create WORKSPACE [--label TEXT] [--expires-days N]   shown once
       kitseal admin key list WORKSPACE
       kitseal admin key rotate KEY_ID [--grace-hours N]     a new key, for as many days as the old one was made for;
                                                             the old one ends after the grace (24 hours)
       kitseal admin key revoke KEY_ID                       ends a key at once, everywhere

  --data DIR   the service's data (default: KITSEAL_DATA, or ./data)
  --json       the answer as JSON
`

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const GRACE_HOURS = 24

type Keys = Administration['keys']
type KeyId = Parameters<Keys['revoke']>[0]
type Made = Awaited<ReturnType<Keys['create']>>

const create: Verb = {
  options: { label: 'one', 'expires-days': 'one' },
  words: ['a WORKSPACE'],
  read: (given) => {
    const [wanted = ''] = given.words
    const days = wholeNumber(given, 'expires-days', 1, 36_500)
    const terms = {
      label: label(given, 'label') ?? '',
      livesMs: days === undefined ? undefined : days * DAY_MS,
    }
    return inWorkspace(wanted, async ({ keys }, row) => {
      const made = await keys.create(row.workspace_id, terms, { is: 'operator' })
      return shownOnce(keys, made, { workspace_id: row.workspace_id })
    })
  },
}

const list: Verb = {
  options: {},
  words: ['a WORKSPACE'],
  read: ({ words: [wanted = ''] }) =>
    inWorkspace(wanted, async (admin, row) => {
      const keys = await admin.keys.list(row.workspace_id)
      const rows = keys.map((key) => [
        key.key_id,
        key.label === '' ? '-' : key.label,
        key.created_at,
        key.last_used_at ?? '-',
        key.revoked_at === null ? (key.expires_at ?? '-') : `revoked ${key.revoked_at}`,
      ])
      return done(table(['KEY', 'LABEL', 'SINCE', 'LAST USED', 'ENDS'], rows), { keys })
    }),
}

const rotate: Verb = {
  options: { 'grace-hours': 'one' },
  words: ['a KEY_ID'],
  read: (given) => {
    const [keyId = ''] = given.words
    const hours = wholeNumber(given, 'grace-hours', 0, 8760) ?? GRACE_HOURS
    return async ({ keys }) => {
      const made = await keys.rotate(keyId as KeyId, hours * HOUR_MS, { is: 'operator' })
      if (made === undefined) return noSuchKey(keyId)
      const old = await keys.find(keyId as KeyId)
      const note = `The old key, ${keyId}, ends at ${old?.expires_at ?? 'once'}.`
      return shownOnce(keys, made, { replaces: keyId, old_key_expires_at: old?.expires_at ?? null }, note)
    }
  },
}

const revoke: Verb = {
  options: {},
  words: ['a KEY_ID'],
  read:
    ({ words: [keyId = ''] }) =>
    async ({ keys }) => {
      if (!(await keys.revoke(keyId as KeyId, { is: 'operator' }))) return noSuchKey(keyId)
      return done([`Revoked: ${keyId}`, '  It is 401 from now on, everywhere.'], { revoked: keyId })
    },
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runArea({ name: 'key', usage: USAGE, verbs: { create, list, rotate, revoke } }, args, terminal)

async function shownOnce(
  keys: Keys,
  made: Made,
  more: Readonly<Record<string, unknown>>,
  note?: string,
): Promise<Answer> {
  const expires_at = (await keys.find(made.keyId))?.expires_at ?? null
  const lines = [
    `Key:     ${made.keyId}`,
    `API key: ${made.text}`,
    ...(expires_at === null ? [] : [`Ends:    ${expires_at}`]),
    '  Shown this once, and kept nowhere: give it to whoever needs it, and to nobody else.',
    ...(note === undefined ? [] : [note]),
  ]
  return done(lines, { key_id: made.keyId, api_key: made.text, expires_at, ...more })
}

const noSuchKey = (keyId: string): Answer =>
  refused(
    'no_such_key',
    `There is no key ${JSON.stringify(keyId)} that is in use. Nothing was changed.`,
    'See "kitseal admin key list WORKSPACE".',
  )

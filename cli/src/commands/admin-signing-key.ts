import type { Store } from '@kitseal/server'
import type { Terminal } from '../terminal.ts'
import { type Answer, done, refused } from './admin-answer.ts'
import { runAreaOn, table, type Verb } from './admin-area.ts'

type SigningKeys = Store['signingKeys']
type Key = Awaited<ReturnType<SigningKeys['list']>>[number]

const USAGE = `usage: kitseal admin signing-key list                    show every key and its state
       kitseal admin signing-key rotate                  make a new key; the old one is retired
       kitseal admin signing-key retire KID [--replace]  end a key; what it signed still verifies
       kitseal admin signing-key revoke KID              disown a key; what it signed FAILs from then on

  --data DIR   the service's data (default: KITSEAL_DATA, or ./data)
  --json       the answer as JSON
  --replace    retire the active key and make a new one in the same step
`

const list: Verb<Store> = {
  options: {},
  words: [],
  read: () =>
    withKeys(async (keys) => {
      const all = await keys.list()
      const rows = all.map((key) => [
        key.kid,
        key.state,
        key.created_at,
        key.revoked_at ?? key.retired_at ?? '-',
        key.provider,
      ])
      return done(table(['KID', 'STATE', 'SINCE', 'UNTIL', 'KEPT BY'], rows), { keys: all.map(shown) })
    }),
}

const rotate: Verb<Store> = {
  options: {},
  words: [],
  read: () =>
    withKeys(async (keys) => {
      const change = await keys.rotate()
      return change.is === 'done' ? rotated(change) : refused('not_rotated', 'No key was rotated.')
    }),
}

const retire: Verb<Store> = {
  options: { replace: 'flag' },
  words: ['the KID of a key'],
  read: ({ words: [kid = ''], has }) =>
    withKeys(async (keys) => {
      const change = await keys.retire(kid, { replace: has('replace') })
      if (change.is === 'done') return rotated(change)
      if (change.is === 'unchanged') return unchanged(change.key, 'was retired before. Nothing was changed.')
      return refused(change.why, ...WHY_NOT_ENDED[change.why](kid))
    }),
}

const revoke: Verb<Store> = {
  options: {},
  words: ['the KID of a key'],
  read: ({ words: [kid = ''] }) =>
    withKeys(async (keys) => {
      const before = (await keys.list()).find((key) => key.state === 'active')
      const change = await keys.revoke(kid)
      if (change.is === 'unchanged') return unchanged(change.key, 'was revoked before. Nothing was changed.')
      if (change.is === 'refused') return refused(change.why, ...WHY_NOT_ENDED[change.why](kid))
      const kits = await keys.signedKits(kid)
      const lines = [
        `Revoked: ${kid}`,
        `  It has left the public key set: ${kits === 1 ? 'the kit' : `each of the ${kits} kits`} that it signed FAILs verification from now on, for good.`,
        '  Copies of the key set that verifiers keep still hold it until they fetch the set again: tell them.',
        ...(before?.kid === kid
          ? [`Active:  ${change.active.kid}`, '  A new key, as the revoked one was the active one.']
          : []),
      ]
      const { active, ended = active } = change
      return done(lines, { revoked: shown(ended), active: shown(active), kits_affected: kits })
    }),
}

/** `kitseal admin signing-key`: a service that is running follows within a second. */
export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runAreaOn(
    async (config) => (await import('@kitseal/server')).openStore(config),
    { name: 'signing-key', usage: USAGE, verbs: { list, rotate, retire, revoke } },
    args,
    terminal,
  )

function withKeys(act: (keys: SigningKeys) => Promise<Answer>): (store: Store) => Promise<Answer> {
  return async ({ signingKeys }) => {
    try {
      return await act(signingKeys)
    } catch (error) {
      // Its message is written for the operator; anything else is a fault of ours, and is thrown.
      if (!(error instanceof Error) || error.name !== 'KeyUnusable') throw error
      return refused('key_unusable', `Nothing was changed: ${error.message}.`)
    }
  }
}

function rotated({ active, ended }: { readonly active: Key; readonly ended: Key | undefined }): Answer {
  const lines = [
    `Active:  ${active.kid}`,
    '  It signs from now on; a running service follows within a second.',
    ...(ended === undefined
      ? []
      : [`Retired: ${ended.kid}`, '  It stays in the public key set: what it signed still verifies.']),
  ]
  return done(lines, { active: shown(active), retired: ended === undefined ? null : shown(ended) })
}

const WHY_NOT_ENDED = {
  no_such_key: (kid: string) => [
    `There is no signing key ${kid}.`,
    'See "kitseal admin signing-key list" for those that there are.',
  ],
  only_active_key: (kid: string) => [
    `${kid} is the only active key: without it nothing could be sealed. Nothing was changed.`,
    'To retire it and make a new key in one step, run "kitseal admin signing-key rotate".',
  ],
  revoked: (kid: string) => [`${kid} is revoked, which is final. Nothing was changed.`],
} as const

function unchanged(key: Key, text: string): Answer {
  return done([`${key.kid} ${text}`], { unchanged: shown(key) })
}

/** Where the private key lies is nobody's business but the provider's. */
function shown(key: Key): Omit<Key, 'reference'> {
  const { kid, x, provider, state, created_at, retired_at, revoked_at } = key
  return { kid, x, provider, state, created_at, retired_at, revoked_at }
}

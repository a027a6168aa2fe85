import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openAdministration, openStore, readConfig } from '@kitseal/server'
import type { MemberId } from '../../../server/src/runtime/identifiers.ts'
import { LABEL as SERVICE_LABEL } from '../../../server/src/http/schema-parts.ts'
import { LABEL } from './admin-command.ts'
import { run } from './admin.ts'

test('create returns a workspace with a plan, credits and an API key that is shown once', async () => {
  await using place = await openPlace()
  const made = await place.json('workspace', 'create', '--name', 'Acme Ltd', '--credits', '7')
  assert.match(String(made['workspace_id']), /^ws_/)
  assert.match(String(made['api_key']), /^ks_key_\w+_\w+$/)
  const shown = await place.json('status', '--workspace', 'Acme Ltd')
  assert.deepEqual([shown['workspace_id'], shown['credits_available']], [made['workspace_id'], 7])
  assert.equal(shown['public_kits'], 'receipts')
  for (const args of [
    ['workspace', 'list'],
    ['status', '--workspace', 'Acme Ltd'],
    ['key', 'list', 'Acme Ltd'],
  ]) {
    const { stdout, exitCode } = await place.kitseal(...args)
    assert.equal(exitCode, 0)
    assert.ok(!stdout.includes(String(made['api_key'])), 'the key is not stored')
  }
  const text = await place.kitseal('workspace', 'create', '--name', 'Other')
  assert.match(text.stdout, /^credits +-$/m)
  const unlimited = async () => (await place.json('status', '--workspace', 'Other'))['credits_available']
  assert.equal(await unlimited(), null)
  assert.match(
    (await place.kitseal('status', '--workspace', 'Other')).stdout,
    /^credits available +unlimited$/m,
  )
  await place.json('workspace', 'change', 'Other', '--credits', '5')
  assert.equal(await unlimited(), 5, 'a number limits it')
  assert.match(text.stdout, /^workspace id +ws_.*\n[^]*\napi key +ks_key_.*\nThe API key is shown only now/)
})

test('change changes the plan, the name and whether kits are public', async () => {
  await using place = await openPlace()
  await place.json('workspace', 'create', '--name', 'Acme')
  const changed = await place.json(
    'workspace',
    'change',
    'Acme',
    '--plan',
    'big',
    '--public-kits',
    'none',
    '--upload-limit-bytes',
    '500000000',
  )
  assert.deepEqual([changed['plan'], changed['public_kits']], ['big', 'none'])
  const refused = await place.kitseal('workspace', 'change', 'Acme', '--plan', 'none')
  assert.deepEqual([refused.exitCode, refused.stdout], [1, ''])
  assert.match(refused.stderr, /No plan "none"\. Nothing was changed/)
})

test('change pins the keys of a trust store, and removes them', async () => {
  await using place = await openPlace()
  await place.json('workspace', 'create', '--name', 'Acme')
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-trust-'))
  const file = join(folder, 'trust.json')
  const kid = 'AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo'
  const pin = { kid, issuer: 'https://issuer.example', created_at: '2026-06-30T12:00:00.000Z' }
  await writeFile(file, JSON.stringify({ trust_version: 2, pins: [pin], logs: [] }))
  const pinned = await place.json('workspace', 'change', 'Acme', '--trust', file)
  assert.deepEqual(pinned['pinned_issuers'], ['https://issuer.example'])
  const missing = await place.kitseal('workspace', 'change', 'Acme', '--trust', join(folder, 'none.json'))
  assert.equal(missing.exitCode, 2)
  const removed = await place.json('workspace', 'change', 'Acme', '--trust', 'none')
  assert.deepEqual(removed['pinned_issuers'], [])
  await rm(folder, { recursive: true })
})

test('a plan has an evidence policy, which only makes findings stricter', async () => {
  await using place = await openPlace()
  await place.json('workspace', 'create', '--name', 'Acme')
  const change = async (...args: readonly string[]) =>
    (await place.json('workspace', 'change', 'Acme', ...args))['limits'] as Record<string, unknown>
  await change('--plan', 'strict', '--evidence-policy', 'examined_only')
  const changed = await change('--finding-class', 'script_content=damage')
  assert.equal(changed['evidence_policy'], 'examined_only')
  assert.deepEqual(changed['finding_classes'], { script_content: 'damage' })
  const looser = await place.kitseal('workspace', 'change', 'Acme', '--finding-class', 'macros=notice')
  assert.equal(looser.exitCode, 2)
  assert.match(looser.stderr, /macros is damage; a policy can only make it stricter/)
  const cleared = await change('--finding-class', 'off')
  assert.deepEqual(cleared['finding_classes'], {})
})

test('the operator confirms exactly the name that the workspace has', async () => {
  await using place = await openPlace()
  const { workspace_id } = await place.json('workspace', 'create', '--name', 'Acme')
  assert.match((await place.kitseal('workspace', 'list')).stdout, / NAMED BY [^]* Acme +operator /)
  await place.rename(String(workspace_id), 'Acme Ltd')
  assert.match((await place.kitseal('workspace', 'list')).stdout, / Acme Ltd +workspace /)
  const other = await place.kitseal('workspace', 'confirm-name', 'Acme Ltd', 'Acme Limited')
  assert.deepEqual([other.exitCode, other.stdout], [1, ''])
  assert.match(other.stderr, /^The name is "Acme Ltd", not "Acme Limited"\. Nothing was changed\.\n/)
  const confirmed = await place.json('workspace', 'confirm-name', 'Acme Ltd', 'Acme Ltd')
  assert.deepEqual([confirmed['name'], confirmed['named_by']], ['Acme Ltd', 'operator'])
})

test('names follow the same rule as labels of the service', async () => {
  assert.equal(LABEL, SERVICE_LABEL.pattern)
  await using place = await openPlace()
  for (const name of [' ', 'a\nb', 'Acme \u202eknaB', 'x\u2069', 'x'.repeat(201)]) {
    const answer = await place.kitseal('workspace', 'create', '--name', name)
    assert.equal(answer.exitCode, 2)
    assert.match(answer.stderr, /--name must be one line of 1 to 200 characters without control/)
  }
})

test('change adds credits', async () => {
  await using place = await openPlace()
  await place.json('workspace', 'create', '--name', 'Acme', '--credits', '1')
  const granted = await place.json('workspace', 'change', 'Acme', '--credits', '5', '--note', 'paid in March')
  assert.equal(granted['credits_available'], 6)
  const wrong = await place.kitseal('workspace', 'change', 'Acme', '--credits=-5')
  assert.equal(wrong.exitCode, 2)
  assert.equal((await place.kitseal('workspace', 'change', 'Nobody', '--credits', '5')).exitCode, 1)
})

test('a key is created, rotated with a grace period, and revoked', async () => {
  await using place = await openPlace()
  await place.json('workspace', 'create', '--name', 'Acme')
  const made = await place.json('key', 'create', 'Acme', '--label', 'ci', '--expires-days', '30')
  const rotated = await place.json('key', 'rotate', String(made['key_id']), '--grace-hours', '1')
  assert.notEqual(rotated['api_key'], made['api_key'])
  assert.ok(Date.parse(String(rotated['old_key_expires_at'])) < Date.now() + 3_700_000)
  await place.json('key', 'revoke', String(rotated['key_id']))
  const again = await place.kitseal('key', 'revoke', String(rotated['key_id']))
  assert.deepEqual([again.exitCode, /No active key/.test(again.stderr)], [1, true])
  const { data: keys } = (await place.json('key', 'list', 'Acme')) as { data: Record<string, unknown>[] }
  assert.equal(keys.length, 3)
  for (const key of keys) assert.equal('sha256' in key, false)
})

test('a key is extended from now, and no other', async () => {
  await using place = await openPlace()
  await place.json('workspace', 'create', '--name', 'Acme')
  const made = await place.json('key', 'create', 'Acme', '--label', 'ci', '--expires-days', '1')
  const id = String(made['key_id'])
  const later = await place.json('key', 'extend', id, '--expires-days', '30')
  assert.ok(Date.parse(String(later['expires_at'])) > Date.now() + 29 * 86_400_000)
  assert.equal((await place.json('key', 'extend', id))['expires_at'], null)
  await place.json('key', 'revoke', id)
  const again = await place.kitseal('key', 'extend', id)
  assert.deepEqual([again.exitCode, /No active key/.test(again.stderr)], [1, true])
})

test('a plan that is new has the default limits, except those given, and a limit without a plan changes that of the workspace', async () => {
  await using place = await openPlace()
  for (const name of ['Acme', 'Other']) await place.json('workspace', 'create', '--name', name)
  const change = (...args: readonly string[]) => place.json('workspace', 'change', 'Acme', ...args)
  const changed = await change('--plan', 'trial', '--rate-per-minute', '60', '--api-access', 'off')
  const limits = changed['limits'] as Record<string, unknown>
  assert.equal(changed['plan'], 'trial')
  assert.deepEqual(
    [limits['rate_per_minute'], limits['api_access'], limits['upload_limit_bytes']],
    [60, false, 104_857_600],
  )
  assert.equal(((await change('--api-access', 'on'))['limits'] as typeof limits)['api_access'], true)
  const other = (await place.json('status', '--workspace', 'Other'))['limits'] as typeof limits
  assert.equal(other['rate_per_minute'], 30_000)
})

test('the storage and mail of a workspace are limited by its plan, and storage can be unlimited again', async () => {
  await using place = await openPlace()
  await place.json('workspace', 'create', '--name', 'Acme')
  const change = async (...args: readonly string[]) =>
    (await place.json('workspace', 'change', 'Acme', ...args))['limits'] as Record<string, unknown>
  const plan = await change('--plan', 'small', '--storage-limit-bytes', '1000000', '--mails-per-day', '20')
  assert.deepEqual([plan['storage_limit_bytes'], plan['mails_per_day']], [1_000_000, 20])
  const open = await change('--storage-limit-bytes', 'off')
  assert.deepEqual([open['storage_limit_bytes'], open['mails_per_day']], [null, 20])
  assert.equal((await place.kitseal('workspace', 'change', 'Acme', '--mails-per-day', 'off')).exitCode, 2)
})

test('a usage error reports every problem and changes nothing', async () => {
  await using place = await openPlace()
  for (const [args, problem] of [
    [['workspace', 'burn'], /unknown command "burn"/],
    [
      ['workspace', 'create', '--credits', 'x'],
      /--name is required\n.*--credits must be a whole number|--credits must be.*\n.*--name is required/,
    ],
    [['workspace', 'change'], /WORKSPACE is required/],
    [['workspace', 'list', 'extra', '--what'], /--what.*\n.*unexpected argument "extra"/],
    [['workspace', 'change', 'Acme', '--public-kits', 'on'], /--public-kits must be receipts, all, none/],
    [['workspace', 'change', 'Acme'], /pass at least one option to change/],
    [['workspace', 'change', 'Acme', '--plan', 'Not A Name'], /lowercase letters/],
    [['key', 'rotate'], /KEY_ID is required/],
  ] as const) {
    const answer = await place.kitseal(...args)
    assert.equal(answer.exitCode, 2, args.join(' '))
    assert.match(answer.stderr, problem)
  }
  for (const group of ['workspace', 'key'])
    assert.match((await place.kitseal(group, '--help')).stdout, new RegExp(`^usage: kitseal admin ${group} `))
})

test('an ambiguous workspace name is rejected', async () => {
  await using place = await openPlace()
  for (let times = 0; times < 2; times++) await place.json('workspace', 'create', '--name', 'Acme')
  const twice = await place.kitseal('status', '--workspace', 'Acme')
  assert.deepEqual(
    [twice.exitCode, twice.stderr.split('\n')[0]],
    [1, '2 workspaces are named "Acme". Use an ID.'],
  )
  const none = await place.kitseal('status', '--workspace', 'Bcme')
  assert.match(none.stderr, /^No workspace with the ID or name "Bcme"\.\n/)
})

test('no store is created in an empty folder', async () => {
  await using place = await openPlace()
  const folder = join(place.folder, 'elsewhere')
  const answer = await place.kitseal('workspace', 'list', '--data', folder)
  assert.equal(answer.exitCode, 2)
  assert.match(answer.stderr, /no kitseal data found in .*elsewhere/)
  const json = await place.kitseal('workspace', 'list', '--data', folder, '--json')
  assert.equal((JSON.parse(json.stdout) as { refused: string }).refused, 'no_data')
  await assert.rejects(stat(folder), { code: 'ENOENT' })
})

async function openPlace() {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-admin-'))
  const config = readConfig({ KITSEAL_DATA: join(folder, 'data') })
  assert.ok(config.ok)
  await (await openStore(config.value))[Symbol.asyncDispose]()
  const kitseal = async (...args: readonly string[]) => {
    const said = { stdout: '', stderr: '' }
    const into = (name: keyof typeof said) => ({ write: (text: string) => ((said[name] += text), true) })
    const env = { KITSEAL_DATA: join(folder, 'data') }
    const exitCode = await run(args, { env, stdout: into('stdout'), stderr: into('stderr') })
    return { exitCode, ...said }
  }
  return {
    folder,
    kitseal,
    /** As an owner does. */
    rename: async (workspaceId: string, name: string) => {
      await using admin = await openAdministration(config.value)
      const row = (await admin.workspaces.list()).find((each) => each.workspace_id === workspaceId)
      assert.ok(row)
      const owner = { is: 'member', memberId: 'mem_a' as MemberId } as const
      await admin.workspaces.update(row.workspace_id, { name }, owner)
    },
    json: async (...args: readonly string[]) => {
      const { stdout, stderr, exitCode } = await kitseal(...args, '--json')
      assert.equal(exitCode, 0, stderr)
      return JSON.parse(stdout) as Record<string, unknown>
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type TestService, testService } from '../../kit/service.ts'
import { main } from '../../../cli/src/main.ts'

let folder = ''
let service: TestService
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-provenance-'))
  mkdirSync(join(folder, 'evidence'))
  writeFileSync(join(folder, 'evidence', 'users.csv'), 'account,right\na,admin\n')
  writeFileSync(join(folder, 'evidence', 'notes.txt'), 'all is well\n')
  service = await testService()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function run(...args: readonly string[]) {
  let [out, err] = ['', '']
  const stdout = { write: (part: string) => void (out += part) }
  const stderr = { write: (part: string) => void (err += part) }
  const env = { HOME: folder, KITSEAL_URL: service.base, KITSEAL_API_KEY: service.service.firstApiKey ?? '' }
  const code = await main(args, { env, stdout, stderr, stdin: { isTTY: true } } as never)
  return { code, out, err }
}

function written(value: unknown): string {
  const path = join(folder, 'provenance.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const PERIOD = { from: '2026-07-01', to: '2026-09-30' }

test('submit seals what the file of --provenance states, and verify shows it apart from what is verified', async () => {
  const provenance = written({
    collector: { name: 'Prowler', version: '5.9' },
    period: PERIOD,
    files: { 'evidence/notes.txt': { system: 'wiki' } },
  })
  const evidence = join(folder, 'evidence')
  const sent = await run('submit', evidence, '--provenance', provenance, '--json', '--out', folder)
  assert.equal(sent.code, 0, sent.out + sent.err)
  const { kit } = JSON.parse(sent.out) as { kit: { path: string } }
  await run('trust', 'add', `${service.base}/.well-known/jwks.json`)
  const shown = await run('verify', kit.path)
  assert.equal(shown.code, 0, shown.out + shown.err)
  const host = new URL(service.base).host
  const [, verified = '', stated = ''] = shown.out.split(
    /Verified by .*\n|Stated by the supplier, not verified\n/,
  )
  assert.match(shown.out, new RegExp(`^Verified by ${host}$`, 'm'))
  assert.match(verified, /^ {2}✓ uploaded \d{4}-.* UTC · through the API · key .*\(All files\)/m)
  assert.match(
    stated,
    /^ {2}“ collected with "Prowler 5\.9" · period 2026-07-01 to 2026-09-30 \(data\/evidence\/users\.csv\)/m,
  )
  assert.match(stated, /^ {2}“ system "wiki" \(data\/evidence\/notes\.txt\)/m)
  assert.match(stated, /^ {2}“ uploaded with "kitseal \d/m)
  assert.ok(!verified.includes('Prowler'))
  const json = JSON.parse((await run('verify', kit.path, '--json')).out) as {
    provenance: { confirmed: boolean; entries: readonly { source: string }[] }
  }
  assert.equal(json.provenance.confirmed, true)
  assert.deepEqual(
    json.provenance.entries.map(({ source }) => source),
    ['upload', 'client', 'supplier', 'supplier'],
  )
})

test('a file of --provenance that is wrong or cannot be read is reported before anything is uploaded', async () => {
  const evidence = join(folder, 'evidence')
  const refused = async (value: unknown): Promise<string> => {
    const { code, err } = await run('submit', evidence, '--provenance', written(value))
    assert.equal(code, 2, err)
    return err
  }
  assert.match(await refused('{'), /cannot read .*provenance\.json/)
  assert.match(
    await refused({ period: { ...PERIOD, to: '2026-01-01' } }),
    /period must not end before it begins/,
  )
  assert.match(await refused({ tool: 'Prowler' }), /unknown member "tool"/)
  assert.match(await refused({ files: { '../x': { system: 'a' } } }), /files\["\.\.\/x"\]/)
  const { code, err } = await run('submit', evidence, '--provenance', join(folder, 'missing.json'))
  assert.deepEqual([code, /no such file/.test(err)], [2, true])
})

test('check counts the age of evidence from --provenance', async () => {
  const item = { id: 'users', title: 'Users', paths: ['**'], types: [], min_files: 1, max_age_days: 30 }
  const profile = join(folder, 'profile.json')
  writeFileSync(
    profile,
    JSON.stringify({ profile: 'fresh', title: 'Fresh', description: 'Fresh files.', items: [item] }),
  )
  const checked = (at: string) =>
    run(
      'check',
      join(folder, 'evidence', 'users.csv'),
      '--profile',
      profile,
      '--confirm',
      'users=users.csv',
      '--provenance',
      written({ collected_at: at }),
    )
  const fresh = await checked(new Date().toISOString())
  assert.equal(fresh.code, 0, fresh.out + fresh.err)
  const old = await checked('2020-01-01')
  assert.equal(old.code, 1)
  assert.match(old.out, /profile_item_too_old/)
})

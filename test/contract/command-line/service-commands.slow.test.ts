// Own process: it changes the working folder.
// What commands that talk to a service answer: the exit code, and lines that must appear on stdout or stderr.
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, test } from 'node:test'
import { admin, kitseal } from '../../kit/command.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { follows } from './follows.ts'

const OTHER_KID = 'AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo'
const BOUNDARY = 'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.'

const startedIn = process.cwd()
const folders: string[] = []
let service: TestService
let env: Readonly<Record<string, string>>

/** A new service, and a working folder with evidence. */
beforeEach(async () => {
  service = await testService()
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-commands-'))
  folders.push(folder)
  process.chdir(folder)
  mkdirSync('evidence/notes', { recursive: true })
  writeFileSync('evidence/access-review.csv', 'account,decision\na,remove\n\n')
  writeFileSync('evidence/notes/größe 日本.txt', 'all is well\n')
  env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: service.service.firstApiKey ?? '' }
})
afterEach(() => service[Symbol.asyncDispose]())
after(() => {
  process.chdir(startedIn)
  for (const folder of folders) rmSync(folder, { recursive: true })
})

async function printed(command: string): Promise<string> {
  const { stdout } = await kitseal(command.split(' '), { env: { HOME: process.cwd(), ...env } })
  return stdout
}

const kits = (): readonly string[] => readdirSync('.').filter((name) => /^kit_.*\.zip$/.test(name))

interface Shown {
  readonly submission_id: string
  readonly kit_id: string
}

/** Submits the evidence, and deletes the kit that was saved. */
async function submitted(label = 'Quarter 3'): Promise<Shown> {
  await follows([[`submit evidence --label '${label}'`, 0]], env)
  for (const kit of kits()) rmSync(kit)
  const { data } = JSON.parse(await printed('status --json')) as { data: readonly Shown[] }
  assert.ok(data[0])
  return data[0]
}

const table = (text: string): string => text.slice(text.indexOf('\n'), text.indexOf('Needs changes'))

test('check finds what the service finds, with the fix, and uploads nothing', async () => {
  mkdirSync('bad')
  writeFileSync('bad/empty.pdf', '')
  writeFileSync('bad/setup.exe', Buffer.from('4d5a9000', 'hex'))
  writeFileSync('bad/run.sh', '#!/bin/sh\n')
  await follows(
    [
      [
        'check bad evidence/access-review.csv',
        1,
        'empty_file          bad/empty.pdf  The file is empty, and a file of this type cannot be.',
        '→ Upload the file with its content, or leave it out.',
        'executable_content  bad/setup.exe  The file is a program, contains one, or has the extension of one. It is a Windows program (EXE, DLL).',
        'script_content  bad/run.sh  The file is a script or source code. The first line is #!/bin/sh.',
        'Needs changes  4 files, … bytes. 2 blockers: the service would not issue a kit.',
        `Nothing was uploaded. ${BOUNDARY}`,
      ],
      ['status', 0, 'No submissions yet. Create one with "kitseal submit".'],
      ['check bad --accept link', 2, 'kitseal check: --accept: link is a danger and cannot be accepted'],
      () => rmSync('bad/setup.exe'),
      [
        'check bad --accept empty_file',
        0,
        'Ready to submit  2 files, … bytes. No blockers, 2 other findings.',
      ],
      ['check evidence', 0, 'Ready to submit  2 files, … bytes. No problems found.'],
      [
        'check evidence --profile acces-review',
        2,
        'kitseal check: no profile "acces-review". Did you mean access-review?',
      ],
      [
        'check evidence --profile evidence',
        2,
        'kitseal check: cannot read the profile evidence: it is a folder',
      ],
      ['check evidence --profile access-review', 1, 'profile_item_missing …'],
    ],
    env,
  )
  const here = await printed('check bad evidence/access-review.csv')
  assert.equal(table(await printed('submit bad evidence/access-review.csv')), table(here))
})

test('names that some system cannot have are blockers, and a folder that cannot be packed is refused', async () => {
  mkdirSync('odd')
  for (const name of ['A.txt', 'a.txt', 'nul.log', 'new\nline.txt']) writeFileSync(join('odd', name), name)
  await follows(
    [
      [
        'check odd',
        1,
        'name_collision  odd/a.txt …',
        'odd/new\\u000aline.txt: It contains a control character.',
        'odd/nul.log: It contains the Windows device name "nul.log".',
      ],
      () => symlinkSync('a.txt', 'odd/link.txt'),
      ['check odd', 1, 'link …odd/link.txt …'],
      ['submit odd', 2, 'kitseal submit: cannot pack odd: link.txt is a symbolic link'],
      [
        'submit /dev/null',
        2,
        'kitseal submit: cannot read /dev/null: it is not a regular file. Save it to a file first.',
      ],
      ['submit missing', 2, 'kitseal submit: cannot read missing: no such file or folder'],
      [
        'submit evidence --out /proc/nowhere/kits',
        2,
        'kitseal submit: cannot write to /proc/nowhere/kits: no such file or folder',
      ],
    ],
    env,
  )
})

test('submit saves a kit that it has verified, and pinned keys decide', async () => {
  const first = [
    "submit evidence --label 'Access review, third quarter'",
    0,
    'sub_…  Access review, third quarter',
    'uploaded evidence.zip, … bytes, 2 files packed',
    'saved     kit_….zip',
    'First use of http://127.0.0.1:…: pinned its 1 key. Check that this is the issuer…s real address.',
    'verified  with the key that 127.0.0.1:… publishes today; not compared before',
    BOUNDARY,
  ] as const
  await follows(
    [
      first,
      () => assert.equal(kits().length, 1),
      [`trust add ${service.base}/.well-known/jwks.json`, 0, 'pinned … for http://127.0.0.1:…'],
      [
        'submit evidence evidence/access-review.csv --out kits',
        0,
        'verified  with the key that 127.0.0.1:… publishes today; you confirmed it on 20…',
      ],
      [
        `submit evidence --kid ${OTHER_KID} --out kits`,
        3,
        '- signer_not_trusted: key … is new to you. The log of http://127.0.0.1:…, which you know, contains this receipt. …',
        'Not confirmed yet  The service issued kit_…, but the download was not saved: Files intact. Sender not confirmed yet.',
      ],
      () => assert.equal(readdirSync('kits').length, 1),
      [
        'submit evidence --jwks missing.json',
        2,
        'kitseal submit: cannot read missing.json: no such file or folder',
      ],
      () => writeFileSync('.config/kitseal/trust.json', 'damaged'),
      ['submit evidence', 2, 'kitseal submit: the trust store …/trust.json is damaged. Fix it or delete it.'],
    ],
    env,
  )
  const { data } = JSON.parse(await printed('status --json')) as { data: readonly Shown[] }
  assert.equal(data.length, 3, 'nothing was sent with a damaged trust store')
})

test('a kit is downloaded once, verified before it is saved, and needs the key of its workspace', async () => {
  const { submission_id: id, kit_id: kit } = await submitted()
  await follows(
    [
      ['status', 0, 'sub_…  Sealed         20…Z  Quarter 3'],
      [
        `status ${id} --wait`,
        0,
        'status      Sealed',
        `kit         ${kit}`,
        'binder.pdf',
        'reports/intake_report.json',
      ],
      [`get ${id} binder.pdf`, 0, 'saved     binder.pdf'],
      () => assert.equal(readFileSync('binder.pdf', 'latin1').slice(0, 5), '%PDF-'),
      [`get ${id}`, 0, `saved     ${kit}.zip`],
      [`get ${id}`, 2, `kitseal get: ${kit}.zip already exists. Choose another name with --out.`],
      [`get ${kit} --out again.zip`, 0],
      () => assert.deepEqual(readFileSync('again.zip'), readFileSync(`${kit}.zip`)),
      [
        `get ${kit} --out third.zip --kid ${OTHER_KID}`,
        3,
        `kitseal get: ${kit} was not saved: Files intact. Sender not confirmed yet.`,
      ],
      () => assert.ok(!existsSync('third.zip')),
      [`get ${id} binder.pd`, 2, `kitseal get: ${id} has no "binder.pd". Did you mean binder.pdf?`],
      [
        `get ${kit} --out -`,
        2,
        'kitseal get: a kit cannot be written to standard output, because it is verified before it is saved',
      ],
      [
        'get sub_none',
        4,
        'kitseal get: Submission not found in this workspace. (submission_not_found, req_…)',
      ],
      ['get kit_../../x', 2, 'kitseal get: "kit_../../x" is not a submission ID (sub_…) or kit ID (kit_…)'],
      [`get ${kit} --out none/k.zip`, 2, 'kitseal get: cannot write none/k.zip: no such file or folder'],
    ],
    env,
  )
  const nobody = { KITSEAL_URL: service.base }
  await follows(
    [
      [`get ${kit} receipt.json`, 0, 'saved     receipt.json'],
      [`get ${kit} --out other.zip`, 4, 'kitseal get: Kit not found. … (kit_not_found, req_…)'],
    ],
    nobody,
  )
})

test('login stores a key that works, readable by its owner alone, and pins the keys of the service', async () => {
  const key = env['KITSEAL_API_KEY'] ?? ''
  writeFileSync('key.txt', `${key}\n`)
  writeFileSync('wrong.txt', 'ks_wrong\n')
  const store = '.config/kitseal/config.json'
  await follows([
    [`login ${service.base} ${key}`, 2, 'kitseal login: the API key must not be an argument: …'],
    [`login ${service.base} --key-file key.txt`, 2, 'kitseal login: nothing was pinned. …'],
    [`login ${service.base} --key-file wrong.txt --yes`, 4, '…(api_key_invalid, req_…)'],
    () => assert.ok(!existsSync(store)),
    [
      'login http://kitseal.example --key-file key.txt',
      2,
      'kitseal login: http://kitseal.example is not encrypted: …',
    ],
    [`login ${service.base} --key-file key.txt --yes`, 0, 'Logged in to http://127.0.0.1:…, workspace ….'],
    () => assert.equal(statSync(store).mode & 0o777, 0o600),
    ['status', 0, 'http://127.0.0.1:…, workspace …, logged in'],
    ['submit evidence', 0, 'verified  with the key that … publishes today; you confirmed it on 20…'],
    ['status --url http://localhost:1', 2, 'kitseal status: no API key for http://localhost:1. …'],
    ['logout', 0, 'Logged out. Deleted …/.config/kitseal/config.json.'],
    ['logout', 0, 'You were not logged in.'],
    () => assert.ok(!existsSync(store)),
  ])
})

test('settings that are wrong or unsafe are refused, with what to do', async () => {
  const store = '.config/kitseal/config.json'
  mkdirSync('.config/kitseal', { recursive: true })
  const key = env['KITSEAL_API_KEY'] ?? ''
  const stored = JSON.stringify({ api_key: key, url: service.base })
  await follows(
    [
      ['status', 2, 'kitseal status: no API key. Run "kitseal login http://127.0.0.1:…", …'],
      [
        `status --api-key ${key}`,
        2,
        'kitseal status: --api-key is not supported: other users can see arguments, …',
      ],
      [
        'status --url 127.0.0.1:8080',
        2,
        '…"127.0.0.1:8080" is not a service URL. It must start with https:// or http://',
      ],
      [
        'status --url https://ann:secret@kitseal.example',
        2,
        'kitseal status: the service URL must not contain a user name, a password, "?" or "#"',
      ],
      () => writeFileSync(store, '{"apikey": "x"}', { mode: 0o600 }),
      [
        'status',
        2,
        'kitseal status: …/.config/kitseal/config.json must contain {"url": "…", "api_key": "…"}. …',
      ],
      () => rmSync(store),
      () => writeFileSync(store, stored, { mode: 0o644 }),
      [
        'status',
        2,
        'kitseal status: other users can read …/.config/kitseal/config.json. Run "chmod 600 …", …',
      ],
    ],
    { KITSEAL_URL: service.base },
  )
  await follows(
    [
      ['status', 4, '…(api_key_invalid, req_…)'],
      ['status --json', 4, '"code": "api_key_invalid",', '"http_status": 401,'],
    ],
    { KITSEAL_URL: service.base, KITSEAL_API_KEY: 'ks_wrong' },
  )
})

test('a kit whose key was revoked fails, and is re-issued once', async () => {
  const { submission_id: id, kit_id: kit } = await submitted('One')
  await follows(
    [
      [`get ${id}`, 0],
      [
        `reissue ${id}`,
        4,
        'kitseal reissue: The key that signed this kit is not revoked, … (key_not_revoked, req_…)',
      ],
      [`reissue ${kit} --all`, 2, 'kitseal reissue: --all cannot be combined with a submission'],
    ],
    env,
  )
  const { keys } = (await service.call('/.well-known/jwks.json')).json as { keys: readonly { kid: string }[] }
  assert.equal((await admin(service, 'signing-key', 'revoke', keys[0]?.kid ?? '')).code, 0)
  await follows(
    [
      ['status', 0, 'sub_…  Sealed         20…Z  One  (Signing key revoked on 20…)'],
      [`reissue ${id}`, 0, 'status      Sealed', `replaces    ${kit}`, 'kit         kit_…'],
      [`reissue ${id}`, 4, 'kitseal reissue: The kit was re-issued by sub_…. (kit_already_reissued, req_…)'],
      [
        `verify ${kit}.zip --jwks ${service.base}/.well-known/jwks.json`,
        1,
        'FAIL  Signing key revoked on 20…',
      ],
    ],
    env,
  )
  const [, again = ''] = /^replaced by (\S+)/m.exec(await printed(`status ${id}`)) ?? []
  await follows(
    [
      [`get ${again} --out new.zip`, 0],
      [`verify new.zip --jwks ${service.base}/.well-known/jwks.json`, 0, 'PASS  Verified'],
      [`diff ${kit}.zip new.zip`, 0, '0 added, 0 removed, 0 changed, 0 renamed or moved, 2 unchanged'],
      ['reissue --all --json', 0, '"submissions": []'],
    ],
    env,
  )
})

test('submit pins the issuer at its first use, so that verify of the same kit says the same', async () => {
  await follows([['submit evidence', 0, 'First use of …: pinned its 1 key. Check that …']], env)
  await follows([[`verify ${kits()[0]}`, 0, 'PASS  Verified']])
})

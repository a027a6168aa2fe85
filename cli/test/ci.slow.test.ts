import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { openKit } from '@kitseal/kit/node'
import { close, listen } from '../../test/kit/ci-provider.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const kitseal = join(root, 'cli/bin/kitseal.cjs')

let service: TestService
let owner: WorkspaceClient
let folder = ''
let issuer = ''
let federation = ''
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
let sign = (audience: string): Promise<string> => jwt(audience)
/** The endpoint of the CI system that gives tokens to its jobs, with its keys. */
const ci = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', issuer)
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'RS256', use: 'sig' }]
  const answers: Record<string, () => object | Promise<object>> = {
    '/.well-known/openid-configuration': () => ({ issuer, jwks_uri: `${issuer}/jwks` }),
    '/jwks': () => ({ keys }),
    '/token': async () =>
      request.headers.authorization === 'Bearer job-secret'
        ? { value: await sign(url.searchParams.get('audience') ?? '') }
        : {},
  }
  response.end(JSON.stringify(await answers[url.pathname]?.()))
})

function jwt(audience: string, key = privateKey, jti = String(Math.random())): Promise<string> {
  const claims = { repository: 'acme/evidence', jti }
  const token = new SignJWT(claims)
    .setSubject('repo:acme/evidence')
    .setProtectedHeader({ alg: 'RS256', kid: 'a' })
    .setIssuer(issuer)
  return token.setAudience(audience).setIssuedAt().setExpirationTime('5m').sign(key)
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-ci-'))
  issuer = await listen(ci)
  service = await testService({ KITSEAL_FEDERATION_ALLOW: '127.0.0.1' })
  owner = await workspaceClient(service)
  const claims = [{ claim: 'repository', equals: 'acme/evidence' }]
  const body = { label: 'CI', issuer, audience: service.base, claims }
  federation = String((await owner.post('/v1/federation', body)).json['federation_id'])
  mkdirSync(join(folder, 'release'))
  mkdirSync(join(folder, 'evidence'))
  mkdirSync(join(folder, 'bad'))
  writeFileSync(join(folder, 'evidence', 'a.txt'), 'all is well\n')
  writeFileSync(join(folder, 'bad', 'empty|<b>.pdf'), '')
  writeFileSync(join(folder, 'bad.pdf'), '%PDF-1.7\nno end')
  release('release')
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await close(ci)
  rmSync(folder, { recursive: true })
})

const EXECUTABLE = `kitseal-linux-${process.arch}`

/** A folder like that of a release. Its program runs the checkout, because building an executable takes long. */
function release(name: string): string {
  const script = `#!/bin/sh\nexec ${process.execPath} ${kitseal} "$@"\n`
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, EXECUTABLE), script)
  const sums = `${createHash('sha256').update(script).digest('hex')}  ${EXECUTABLE}\n`
  writeFileSync(join(folder, name, 'SHA256SUMS'), sums)
  return createHash('sha256').update(sums).digest('hex')
}

interface Action {
  inputs: Record<string, { default?: string }>
  outputs: Record<string, { value: string }>
  runs: { steps: { run?: string; id?: string; env?: Record<string, string> }[] }
}
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action

const JOB = { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job-secret' }

/** Runs the shell steps of the action as a GitHub runner does. */
async function runAction(inputs: Record<string, string>, more: Record<string, string> = {}) {
  const [summary = '', output = '', path = ''] = ['summary.md', 'output.txt', 'path.txt'].map((name) =>
    join(folder, name),
  )
  for (const each of [summary, output, path]) writeFileSync(each, '')
  const given: Record<string, string> = { url: service.base, federation, release: 'release', ...inputs }
  const value = (text: string): string =>
    text.replaceAll(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name: string) => {
      const input = name.replace('inputs.', '')
      return name.startsWith('inputs.') ? value(given[input] ?? action.inputs[input]?.default ?? '') : '7'
    })
  let [code, text] = [0, '']
  for (const { run, env = {} } of action.runs.steps) {
    if (run === undefined || code !== 0) continue
    const own = Object.fromEntries(Object.entries(env).map(([name, each]) => [name, value(each)]))
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: folder,
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: folder,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: root,
        GITHUB_PATH: path,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
        ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/token?api-version=2`,
        ...JOB,
        ...own,
        ...more,
      },
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)))
    code = await new Promise<number>((resolve) => child.on('close', (ended) => resolve(ended ?? 1)))
  }
  const outputs = Object.fromEntries(
    readFileSync(output, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  )
  return {
    code,
    text,
    outputs,
    summary: readFileSync(summary, 'utf8'),
    path: readFileSync(path, 'utf8').trim(),
  }
}

test('the GitHub action seals a folder without a stored secret and sets its outputs', async () => {
  const { code, text, outputs, summary } = await runAction({ path: 'evidence', out: 'kits' })
  assert.equal(code, 0, text)
  assert.deepEqual([outputs['status'], outputs['verdict']], ['PASS', 'verified'])
  assert.match(outputs['kit_path'] ?? '', /^kits\/kit_[\w-]+\.zip$/)
  const receipt = await owner.get(`/v1/kits/${outputs['kit_id']}/receipt`)
  assert.equal(outputs['receipt_sha256'], receipt.json['canonical_receipt_sha256'])
  for (const { value } of Object.values(action.outputs)) {
    const name = /steps\.submit\.outputs\.(\w+)/.exec(value)?.[1] ?? ''
    assert.ok(Object.hasOwn(outputs, name), name)
  }
  assert.match(summary, /^### kitseal: PASS, /)
  const host = new URL(service.base).host
  assert.equal(outputs['key_from'], `the key that ${host} publishes today; not compared before`)
  assert.ok(
    summary.includes(`signed with the key that ${host} publishes today; not compared before`),
    summary,
  )
  assert.doesNotMatch(text, /ks_key_|job-secret/)
})

test('kitseal is installed from the files of a release, for later steps too, and nothing else runs', async () => {
  const pinned = await runAction({ path: 'evidence', out: 'kits', 'release-sha256': release('release') })
  assert.equal(pinned.code, 0, pinned.text)
  assert.ok(existsSync(join(pinned.path, 'kitseal')), 'GITHUB_PATH')
  release('changed')
  writeFileSync(join(folder, 'changed', EXECUTABLE), '#!/bin/sh\necho PWNED\n')
  release('unlisted')
  writeFileSync(join(folder, 'unlisted', 'SHA256SUMS'), '')
  for (const [inputs, problem] of [
    [{ release: 'changed' }, /does not match SHA256SUMS/],
    [{ release: 'unlisted' }, /does not match SHA256SUMS/],
    [{ 'release-sha256': '0'.repeat(64) }, /not the one in KITSEAL_RELEASE_SHA256/],
    [{ release: '' }, /set KITSEAL_RELEASE .* not published on any registry/],
    [{ release: 'http://downloads.example' }, /must be an https URL or a folder/],
    [{ release: 'nowhere' }, /nowhere has no SHA256SUMS/],
    [{ path: '' }, /name the file or folder/],
  ] as const) {
    const { code, text, outputs } = await runAction({ path: 'evidence', ...inputs })
    assert.deepEqual([code, outputs], [2, {}], text)
    assert.match(text, problem)
    assert.doesNotMatch(text, /PWNED/)
  }
})

test('the inputs accept, series and tags reach the submission, and the summary has name, findings, kit and verification', async () => {
  const inputs = {
    label: 'Access *review*',
    accept: 'malformed_pdf',
    series: 'Access review',
    tags: 'q3, iso 27001\nprod',
  }
  const { code, text, outputs, summary } = await runAction({ path: 'bad.pdf', out: 'kits', ...inputs })
  assert.equal(code, 0, text)
  const { json } = await owner.get(`/v1/submissions/${outputs['submission_id']}`)
  assert.deepEqual([json['series'], json['tags']], ['Access review', ['q3', 'iso 27001', 'prod']])
  assert.match(summary, /^\| Name \| Access &#42;review&#42; \|$/m)
  assert.match(summary, /^\| Findings \| malformed&#95;pdf \(damage\): bad.pdf/m)
  assert.match(
    summary,
    new RegExp(`^\\| Kit \\| ${outputs['kit_id']?.replaceAll('_', '&#95;')}, saved as kits/`, 'm'),
  )
  assert.match(summary, /^\| Verified \| \*\*Verified\*\* .*signed with the key that /m)
})

test('the GitHub action states its repository and collector, and the token is verified', async () => {
  const entriesOf = async (inputs: Record<string, string>) => {
    const { code, text, outputs } = await runAction({ path: 'evidence', out: 'kits', ...inputs })
    assert.equal(code, 0, text)
    using kit = await openKit(join(folder, outputs['kit_path'] ?? ''))
    const report = JSON.parse(Buffer.from(await kit.read('reports/provenance.json', 1e6)).toString()) as {
      entries: readonly Readonly<Record<string, unknown>>[]
    }
    return (source: string) => report.entries.find((entry) => entry['source'] === source)
  }
  const plain = await entriesOf({})
  assert.deepEqual(
    [plain('ci_token')?.['statement'], plain('ci_token')?.['repository']],
    ['verified', 'acme/evidence'],
  )
  assert.deepEqual(plain('supplier'), {
    paths: 'all files',
    source: 'supplier',
    statement: 'stated',
    system: '7/7',
  })
  assert.equal(plain('client')?.['name'], 'kitseal')
  const collected = (await entriesOf({ collector: 'Prowler "5.9"', command: "prowler aws 'x'" }))('supplier')
  assert.deepEqual(collected?.['collector'], { name: 'Prowler "5.9"', command: "prowler aws 'x'" })
  assert.match(String(collected['collected_at']), /^\d{4}-/)
  writeFileSync(join(folder, 'own.json'), '{"system":"own"}')
  assert.equal((await entriesOf({ provenance: 'own.json' }))('supplier')?.['system'], 'own')
  writeFileSync(join(folder, 'wrong.json'), '{"period":{"from":"2026-02-01","to":"2026-01-01"}}')
  const wrong = await runAction({ path: 'evidence', provenance: 'wrong.json' })
  assert.equal(wrong.code, 2)
  assert.match(wrong.text, /wrong\.json: period must not end before it begins/)
})

test('the GitHub action verifies with the keys that the workflow names, and says so', async () => {
  const { kid } = await service.service.signingKeys.activeSigner()
  const right = await runAction({ path: 'evidence', out: 'kits', kid })
  assert.deepEqual([right.code, right.outputs['key_from']], [0, 'the key you gave'], right.text)
  assert.match(right.summary, /signed with the key you gave\./)
  const wrong = await runAction({ path: 'evidence', out: 'kits', kid: 'x'.repeat(42) + 'A' })
  assert.deepEqual([wrong.code, wrong.outputs['verdict']], [3, 'sender_unconfirmed'], wrong.text)
  const jwks = `${service.base}/.well-known/jwks.json`
  const fetched = await runAction({ path: 'evidence', out: 'kits', jwks })
  assert.equal(fetched.code, 0, fetched.text)
  assert.match(
    fetched.outputs['key_from'] ?? '',
    /publishes today; (?:not compared before|the same as at your first use on .*)$/,
  )
})

test('blockers are in the job summary by their own paths, and cannot inject Markdown', async () => {
  const { code, summary, outputs } = await runAction({ path: 'bad' })
  assert.equal(code, 1)
  assert.equal(outputs['status'], 'FAIL')
  assert.match(summary, /^\| empty&#95;file \| bad\/empty&#124;&#60;b&#62;\.pdf \| The file is empty/m)
})

test('a forged, replayed or wrong-audience token gets nothing', async () => {
  const foreign = await generateKeyPair('RS256')
  const replayed = await jwt(service.base)
  const earlier = (await owner.get('/v1/submissions')).json['data']
  assert.equal((await runAction({ path: 'bad' }, { KITSEAL_ID_TOKEN: replayed })).code, 1, 'the first use')
  for (const [what, token] of Object.entries({
    forged: () => jwt(service.base, foreign.privateKey),
    replayed: () => Promise.resolve(replayed),
    'of another audience': () => jwt('https://other.example'),
  })) {
    sign = token
    const { code, text, outputs } = await runAction({ path: 'evidence' })
    assert.equal(code, 4, `${what}: ${text}`)
    assert.match(text, /token_rejected/)
    assert.deepEqual(outputs, {})
  }
  sign = (audience) => jwt(audience)
  const submissions = (await owner.get('/v1/submissions')).json['data'] as unknown[]
  assert.equal(submissions.length, (earlier as unknown[]).length + 1)
  const without = await runAction({ path: 'evidence' }, { ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' })
  assert.deepEqual([without.code, /id-token: write/.test(without.text)], [2, true], without.text)
})

test('the GitLab template and the Jenkinsfile run the same script with the token of the job', async () => {
  const template = parse(readFileSync(join(root, 'deploy/ci/gitlab.yml'), 'utf8')) as Record<
    string,
    { id_tokens: object; script: string[] }
  >
  assert.deepEqual(template['.kitseal']?.id_tokens, { KITSEAL_ID_TOKEN: { aud: '$KITSEAL_URL' } })
  const jenkins = readFileSync(join(root, 'deploy/ci/Jenkinsfile'), 'utf8')
  const scripts = [template['.kitseal']?.script.join('\n') ?? '', /^ +sh '(.*)'$/m.exec(jenkins)?.[1] ?? '']
  assert.deepEqual(scripts, ['sh kitseal-ci.sh', 'sh kitseal-ci.sh'])
  copyFileSync(join(root, 'deploy/ci/kitseal-ci.sh'), join(folder, 'kitseal-ci.sh'))
  const job = { KITSEAL_ID_TOKEN: await jwt(service.base), EVIDENCE: 'evidence', LABEL: 'GitLab' }
  const env = { KITSEAL_URL: service.base, KITSEAL_FEDERATION_ID: federation, HOME: folder, ...job }
  const more = { PATH: '/usr/bin:/bin', KITSEAL_RELEASE: 'release/', COLLECTOR: 'oscap "1.3"' }
  const child = spawn('sh', ['-ec', scripts[0] ?? ''], { cwd: folder, env: { ...more, ...env } })
  let text = ''
  child.stderr.on('data', (part) => (text += String(part)))
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0, text)
  assert.match(readFileSync(join(folder, 'kitseal.env'), 'utf8'), /^status=PASS\nverdict=verified$/m)
  assert.match(readFileSync(join(folder, 'kitseal.md'), 'utf8'), /^\| Name \| GitLab \|$/m)
})

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createClient } from '../../client/src/index.ts'
import { makeWebhookSecret, webhookHeaders } from '../../server/src/deliveries/post-webhook.ts'
import { buildPythonPackage } from '../../scripts/packages.ts'
import { PAGES, type PythonService, root, runPage, runPython, startForPython } from './on-python.ts'
import { snakeCase } from '../../spec/generate/python.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-python-'))
const [wheel = '', sdist = ''] = buildPythonPackage(path.join(folder, 'built'))
let service: PythonService
let env: Readonly<Record<string, string>> = {}
before(async () => {
  service = await startForPython()
  env = { ...service.env, PYTHONPATH: wheel }
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('two builds give the same wheel and the same source distribution, with the version of the project', () => {
  const again = buildPythonPackage(path.join(folder, 'built again'))
  for (const [index, file] of [wheel, sdist].entries())
    assert.ok(readFileSync(file).equals(readFileSync(again[index] ?? '')), file)
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  // PEP 440 writes 1.0.0-rc.1 as 1.0.0rc1.
  const stem = `kitseal-${version.replace('-rc.', 'rc')}`
  assert.deepEqual(
    [wheel, sdist].map((file) => path.basename(file)),
    [`${stem}-py3-none-any.whl`, `${stem}.tar.gz`],
  )
})

test('wheel and source distribution carry the verifier that is published alone, byte for byte', async () => {
  const script = `
import sys, tarfile, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel, tarfile.open(sys.argv[2]) as sdist, open(sys.argv[3], "rb") as one:
    verifier = one.read()
    assert wheel.read("kitseal/_verifier.py") == verifier
    assert sdist.extractfile(sys.argv[2].split("/")[-1][:-7] + "/kitseal/_verifier.py").read() == verifier
    assert "kitseal/py.typed" in wheel.namelist()
`
  const verifier = path.join(root, 'spec/independent/kitseal-verify.py')
  await runPython('python3', ['-c', script, wheel, sdist, verifier], {}, folder)
})

test('every method of the TypeScript client is in Python, in snake case', async () => {
  const script = 'import kitseal; print(*dir(kitseal.Client)); print(*dir(kitseal.AsyncClient))'
  const methods = Object.keys(createClient({ baseUrl: 'http://127.0.0.1:1' })).map(snakeCase)
  for (const line of (await runPython('python3', ['-c', script], env, folder)).trim().split('\n')) {
    const names = new Set(line.split(' '))
    assert.deepEqual(
      methods.filter((name) => !names.has(name)),
      [],
    )
  }
})

test('the package does what its tests say, without a warning', async () => {
  const output = await runPython('python3', [path.join(import.meta.dirname, 'test_kitseal.py')], env, folder)
  assert.match(output, /^Ran \d\d tests .*\n\nOK$/m)
})

test('verify_webhook accepts what the service signs, with the secret and the one before', async () => {
  const secrets = [makeWebhookSecret(), makeWebhookSecret()] as const
  const body = JSON.stringify({ type: 'submission.passed', note: 'größe' })
  const signer = await service.signer()
  const headers = await webhookHeaders({ id: 'msg_1', timestampMs: Date.now(), body }, secrets, signer)
  const script = `
import json, sys, kitseal
body, headers, secrets = map(json.loads, sys.argv[1:])
for secret in secrets:
    assert kitseal.verify_webhook(body, headers, secret) == json.loads(body)
`
  const given = [body, headers, secrets].map((each) => JSON.stringify(each))
  await runPython('python3', ['-c', script, ...given], env, folder)
})

for (const page of PAGES)
  test(`the examples of ${page} run, top to bottom`, async () => {
    const output = await runPage(page, 'python3', env, folder)
    assert.match(output, /PASS/)
    if (!page.startsWith('docs/')) return
    assert.match(output, /^sub_\S+ PENDING \{'reason': 'evidence', 'since': '20/m)
    assert.match(output, /^404 submission_not_found req_/m)
  })

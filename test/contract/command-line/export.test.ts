import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'
import { main } from '../../../cli/src/main.ts'

test('export writes a receipt with its leaf, a statement and OSCAL results, which are the same offline', async () => {
  await using service = await testService()
  const owner = await workspaceClient(service)
  const id = await owner.submission()
  await owner.upload(id, form({ 'report.csv': 'a,b\n' }))
  const kit = String((await owner.ended(id))['kit_id'])
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-export-'))
  const at = (name: string): string => join(folder, name)
  const run = async (args: readonly string[], key = owner.key) => {
    let [out, err] = ['', '']
    const stdout = { write: (part: string) => void (out += Buffer.from(part).toString()) }
    const stderr = { write: (part: string) => void (err += part) }
    const env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: key }
    return { code: await main(['export', ...args], { env, stdout, stderr }), out, err }
  }
  try {
    const cose = await run([kit, '--format', 'cose', '-o', at('r.cose')])
    assert.deepEqual(
      [cose.code, cose.out],
      [0, `saved     ${at('r.cose')}\nsaved     ${at('r.cose.leaf.json')}\n`],
    )
    const { headers, bytes } = await owner.get(`/v1/kits/${kit}/export/cose`)
    assert.deepEqual(readFileSync(at('r.cose')), Buffer.from(bytes))
    const leaf = readFileSync(at('r.cose.leaf.json')).toString('base64')
    assert.equal(headers.get('kitseal-log-leaf'), `:${leaf}:`)
    const again = await run([kit, '--format', 'cose', '-o', at('r.cose')])
    assert.match(again.err, /r\.cose\.leaf\.json already exists/)

    const statement = await run([kit, '--format=in-toto', '--out', '-'])
    assert.equal(JSON.parse(statement.out).payloadType, 'application/vnd.in-toto+json')
    const online = (await run([kit, '--format', 'oscal', '-o', '-'])).out
    const zip = (await owner.get(`/v1/kits/${kit}/download`)).bytes
    writeFileSync(at('kit.zip'), zip)
    const offline = await run([at('kit.zip'), '--format', 'oscal', '-o', at('o.json'), '--json'])
    assert.deepEqual(JSON.parse(offline.out), { path: at('o.json') })
    assert.equal(readFileSync(at('o.json'), 'utf8'), online)
    writeFileSync(at('bad.zip'), Buffer.from(zip).fill('x', 20_000, 20_009))
    assert.match((await run([at('bad.zip'), '--format', 'oscal', '-o', '-'])).err, /bad\.zip/)

    for (const [args, problem] of [
      [[], /pass a kit ID/],
      [[kit], /--format is required/],
      [[kit, '--format', 'pdf'], /--format must be cose, in-toto, oscal/],
      [[kit, '--format', 'cose', '-o', '-'], /two files/],
      [[kit, '--format', 'cose', '-o', 'a', '--out', 'b'], /either -o or --out/],
      [[at('kit.zip'), '--format', 'cose'], /cose needs the service: pass a kit ID/],
    ] as const) {
      const wrong = await run(args)
      assert.equal(wrong.code, 2)
      assert.match(wrong.err, problem)
    }
    const other = await workspaceClient(service)
    const refused = await run([kit, '--format', 'in-toto', '-o', at('no')], other.key)
    assert.deepEqual([refused.code, /kit_not_found/.test(refused.err)], [4, true])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

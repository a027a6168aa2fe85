import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openKit } from '@kitseal/kit/node'
import { testService } from '../../test/kit/service.ts'
import { main } from '../src/main.ts'
import { readStdinEvidence } from '../src/stdin-evidence.ts'
import { needs } from '../../test/kit/needs.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-pipe-'))
  const evidence = join(folder, 'evidence')
  mkdirSync(join(evidence, 'notes'), { recursive: true })
  writeFileSync(join(evidence, 'users.csv'), 'account,right\na,admin\n')
  writeFileSync(join(evidence, 'notes', `${'long'.repeat(40)}.txt`), 'all is well\n')
  linkSync(join(evidence, 'users.csv'), join(evidence, 'same.csv'))
})
after(() => rmSync(folder, { recursive: true }))

const tar = (...args: readonly string[]): Buffer => execFileSync('tar', args, { cwd: folder })

async function* piped(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
}

async function run(args: readonly string[], bytes: Uint8Array | undefined, env: Record<string, string> = {}) {
  let [out, err] = ['', '']
  const stdout = { write: (part: string) => void (out += part) }
  const stderr = { write: (part: string) => void (err += part) }
  const stdin = bytes === undefined ? { isTTY: true } : piped(bytes)
  const code = await main(args, { env: { HOME: folder, ...env }, stdout, stderr, stdin } as never)
  return { code, out, err }
}

test('tar, tar.gz and ZIP from standard input become a kit of the files', needs('python3'), async () => {
  await using service = await testService()
  const env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: service.service.firstApiKey ?? '' }
  const zip = execFileSync('python3', ['-c', PACK], { cwd: folder })
  for (const bytes of [tar('c', 'evidence'), tar('cz', 'evidence'), tar('c', '-C', 'evidence', '.'), zip]) {
    const { code, out, err } = await run(['submit', '-', '--json', '--out', folder], bytes, env)
    assert.equal(code, 0, out + err)
    const { kit, submission } = JSON.parse(out) as { kit: { path: string }; submission: { label: string } }
    assert.match(submission.label, /^(?:evidence|stdin)$/)
    using opened = await openKit(kit.path)
    const names = opened.files.map(({ path }) => path).filter((path) => path.startsWith('data/'))
    assert.deepEqual(
      names.map((name) => name.split('/').at(-1)).toSorted(),
      [`${'long'.repeat(40)}.txt`, 'same.csv', 'users.csv'],
      names.join(' '),
    )
  }
})

const PACK = `import shutil,sys,io,zipfile,os
b=io.BytesIO(); z=zipfile.ZipFile(b,'w')
for d,_,fs in os.walk('evidence'):
  for f in fs: z.write(os.path.join(d,f))
z.close(); sys.stdout.buffer.write(b.getvalue())`

test('links, devices and hostile names are rejected by their own paths', async () => {
  symlinkSync('/etc/passwd', join(folder, 'evidence', 'link'))
  try {
    const bytes = tar('c', '-P', 'evidence', '--transform', 's,evidence/users.csv,../users.csv,', '/dev/null')
    const submitted = await run(['submit', '-'], bytes)
    assert.equal(submitted.code, 2)
    assert.match(submitted.err, /cannot pack evidence\/link: it is a link$/m)
    assert.match(submitted.err, /cannot pack \.\.\/users\.csv: The name contains "\.\."/)
    assert.match(submitted.err, /cannot pack \/dev\/null: The name is an absolute path/)
    const checked = await run(['check', '-', '--json'], bytes)
    const { blockers } = JSON.parse(checked.out) as {
      blockers: { code: string; path: string; args: { detail?: { key: string } } }[]
    }
    assert.ok(blockers.every(({ args }) => args.detail?.key.startsWith('detail.') !== false))
    const found = blockers.map(({ code, path }) => `${code} ${path}`)
    for (const expected of ['link evidence/link', 'name_traversal ../users.csv', 'name_absolute /dev/null'])
      assert.ok(found.includes(expected), found.join('\n'))
  } finally {
    rmSync(join(folder, 'evidence', 'link'))
  }
})

test('what is not a complete archive is rejected, and the temp folder is deleted', async () => {
  const temp = join(folder, 'temp')
  mkdirSync(temp)
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = temp
  try {
    const whole = tar('c', '--blocking-factor=1', 'evidence')
    const gzip = tar('cz', 'evidence')
    for (const [bytes, problem] of [
      [undefined, /nothing is piped into it/],
      [new Uint8Array(), /standard input is empty/],
      [Buffer.from('account,right\n'), /not a tar, tar\.gz or ZIP archive/],
      [whole.subarray(0, 700), /is damaged: a header is damaged/],
      [whole.subarray(0, whole.length - 1024), /has no end mark/],
      [gzip.subarray(0, 100), /not a valid gzip file/],
    ] as const) {
      const { code, err } = await run(['check', '-'], bytes)
      assert.equal(code, 2)
      assert.match(err, problem)
    }
    const limits = { bytes: 1000, entries: 1 }
    for (const bytes of [whole, gzip])
      await assert.rejects(readStdinEvidence(piped(bytes), { limits }), /larger than 1000 bytes/)
    await assert.rejects(
      readStdinEvidence(piped(whole), { limits: { bytes: 1e6, entries: 1 } }),
      /more than 1 entries/,
    )
    assert.match((await run(['submit', '-', 'evidence'], whole)).err, /- cannot be combined/)
    assert.deepEqual(readdirSync(temp), [])
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
})

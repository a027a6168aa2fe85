import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startProxy } from '../../client/test/proxy.ts'
import { testService, type TestService } from '../../test/kit/service.ts'

const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))
let service: TestService
let folder = ''
before(async () => {
  service = await testService()
  folder = mkdtempSync(join(tmpdir(), 'kitseal-interruption-'))
  writeFileSync(join(folder, 'large.txt'), '0123456789\n'.repeat(1_000_000))
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

function start(args: readonly string[], url: string, home = folder) {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: folder,
    KITSEAL_URL: url,
    KITSEAL_API_KEY: service.service.firstApiKey,
  }
  const child = spawn(process.execPath, [kitseal, ...args], { cwd: folder, env })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      child.emit('printed', printed)
    })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, printed }))
  return { child, ended }
}

test('Ctrl-C during an upload reports the state of the submission and leaves no files', async () => {
  const received = new EventEmitter()
  await using stalled = await startProxy(service.base, (request) => {
    if (!request.url?.endsWith('/evidence')) return false
    request.once('data', () => received.emit('data'))
    return true
  })
  const { child, ended } = start(['submit', 'large.txt'], stalled.base)
  received.once('data', () => child.kill('SIGINT'))
  const { code, printed } = await ended
  assert.equal(code, 130, printed)
  assert.match(printed, /Interrupted\. sub_\S+ is pending: the service is waiting for its evidence\./)
  assert.deepEqual(readdirSync(folder).toSorted(), ['.cache', 'large.txt'])
})

test('a lost connection is reported and retried', async () => {
  await using shaky = await startProxy(service.base, (request, response, index) => {
    if (index !== 0 && index !== 3) return false
    request.destroy()
    response.destroy()
    return true
  })
  const { code, printed } = await start(['submit', 'large.txt', '--out', 'kits'], shaky.base).ended
  // The proxy is not the issuer, so its keys do not confirm the sender.
  assert.equal(code, 3, printed)
  assert.match(printed, /connection lost\. Retrying in \d\.\d s/)
  assert.match(printed, /^Not confirmed yet  The service issued /m)
})

test('a Retry-After of an hour is not waited for', async () => {
  await using busy = await startProxy(service.base, (_, response) => {
    response.writeHead(503, { 'retry-after': '3600' }).end()
    return true
  })
  const { code, printed } = await start(['status'], busy.base).ended
  assert.equal(code, 4, printed)
  assert.match(printed, /status 503/)
})

test('a response that is not from kitseal asks to check --url', async () => {
  await using other = await startProxy(service.base, (_, response) => {
    response.writeHead(404).end('<h1>Not found</h1>')
    return true
  })
  const { code, printed } = await start(['status'], other.base).ended
  assert.equal(code, 4, printed)
  assert.match(printed, /: http:\S+ returned 404\. Is this a kitseal service\? Check --url\. /)
})

test('Ctrl-C during the demo leaves no files', async () => {
  const { child, ended } = start(['demo'], service.base)
  child.on('printed', (printed: string) => {
    if (printed.includes('in a temp folder')) child.kill('SIGINT')
  })
  const { code, printed } = await ended
  assert.equal(code, 130, printed)
  assert.match(printed, /Interrupted\. All files were deleted\./)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('kitseal-demo')),
    [],
  )
})

test('if the kit cannot be saved, the command to download it is printed', async () => {
  await using meddled = await startProxy(service.base, (request) => {
    if (request.url?.endsWith('/evidence')) rmSync(join(folder, 'gone'), { recursive: true })
    return false
  })
  const { code, printed } = await start(['submit', 'large.txt', '--out', 'gone'], meddled.base).ended
  assert.equal(code, 2, printed)
  const [, id] = /^(sub_\S+) /.exec(printed) ?? []
  assert.ok(printed.includes(`${id} is sealed. To download its kit: kitseal get ${id}\n`), printed)
  assert.match(printed, /kitseal submit: cannot write gone\/kit_\S+\.zip: no such file or folder\n$/)
})

test('a service cannot choose where a kit is written', async () => {
  const submission = {
    submission_id: 'sub_x',
    status: 'PASS',
    kit_id: 'kit_/../../own',
    blockers: [],
    boundary: '',
  }
  await using deceitful = await startProxy(service.base, (_, response) => {
    response.end(JSON.stringify({ ...submission, deliverables: { 'kit.zip': '/v1/x' } }))
    return true
  })
  const { code, printed } = await start(['get', 'sub_x'], deceitful.base).ended
  assert.deepEqual(
    [code, printed],
    [2, 'kitseal get: the service returned an invalid kit ID: "kit_/../../own"\n'],
  )
})

/** Interrupts a command as soon as it creates a file with a matching name. */
async function interruptAt(made: RegExp, args: readonly string[]) {
  const watcher = watch(folder)
  const { child, ended } = start(args, service.base)
  let isInterrupted = false
  watcher.on('change', (_, name) => {
    // Once: a second Ctrl-C ends the command before it has cleaned up.
    if (isInterrupted || !made.test(String(name))) return
    isInterrupted = child.kill('SIGINT')
  })
  await ended
  watcher.close()
  return { signal: child.signalCode, left: readdirSync(folder).filter((name) => made.test(name)) }
}

test('Ctrl-C during seal leaves no partial kit', async () => {
  const evidence = mkdtempSync(join(folder, 'evidence-'))
  writeFileSync(join(evidence, 'large.bin'), '')
  truncateSync(join(evidence, 'large.bin'), 600_000_000)
  const { code, printed } = await start(['keygen', 'issuer.key'], service.base).ended
  assert.equal(code, 0, printed)
  const args = ['seal', evidence, '--key', 'issuer.key', '--issuer', 'https://issuer.example']
  const { signal, left } = await interruptAt(/^kit_/, args)
  assert.deepEqual({ signal, left }, { signal: 'SIGINT', left: [] })
})

test('Ctrl-C during check deletes unpacked files', async () => {
  const text = Buffer.alloc(200_000_000, 'a line of text that is packed well\n')
  const script =
    'import sys,zipfile; zipfile.ZipFile(sys.argv[1],"w",zipfile.ZIP_DEFLATED,compresslevel=1).writestr("a.txt",sys.stdin.buffer.read())'
  execFileSync('python3', ['-c', script, join(folder, 'packed.zip')], { input: text })
  const { signal, left } = await interruptAt(/^kitseal-check-/, ['check', 'packed.zip'])
  assert.deepEqual({ signal, left }, { signal: 'SIGINT', left: [] })
})

// More output than a pipe holds.
test('after its output pipe is closed, a command is silent and keeps its exit code; endless output ends with 0', async () => {
  const many = mkdtempSync(join(folder, 'many-'))
  for (let index = 0; index < 1500; index++)
    writeFileSync(join(many, `a PDF without content, and with a ${'long '.repeat(35)}name ${index}.pdf`), '')
  const { child, ended } = start(['check', many, '--json'], service.base)
  child.stdout.once('data', () => child.stdout.destroy())
  const { code, printed } = await ended
  assert.equal(code, 1, 'there are blockers')
  assert.doesNotMatch(printed, /EPIPE|node:/)
  const follow = start(['events', '--follow', '--json'], service.base)
  follow.child.stdout.once('data', () => follow.child.stdout.destroy())
  const created = {
    method: 'POST',
    headers: { 'x-api-key': service.service.firstApiKey ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'another event' }),
  }
  const another = setInterval(() => void fetch(`${service.base}/v1/submissions`, created), 100)
  const followed = await follow.ended.finally(() => clearInterval(another))
  assert.deepEqual([followed.code, /EPIPE|node:/.test(followed.printed)], [0, false], followed.printed)
})

test('after kill -9 during an upload, the same command continues it on a fresh machine, and a changed file starts over', async () => {
  const large = join(folder, 'huge.log')
  writeFileSync(large, 'one line of a log\n'.repeat(4_500_000))
  const api = (path: string): Promise<Response> =>
    fetch(service.base + path, { headers: { 'x-api-key': service.service.firstApiKey ?? '' } })
  const interrupted = async (): Promise<string> => {
    const { child, ended } = start(['submit', 'huge.log', '--out', 'kits'], service.base)
    const killed = new AbortController()
    child.on('printed', (text: string) => {
      const id = /sub_[\w-]+/.exec(text)?.[0]
      if (id !== undefined && !killed.signal.aborted) void killWhenStored(id)
    })
    const killWhenStored = async (id: string): Promise<void> => {
      killed.abort()
      for (;;) {
        const { data: uploads } = (await (await api(`/v1/submissions/${id}/uploads`)).json()) as {
          data: readonly { readonly offset_bytes: number }[]
        }
        if (uploads.some(({ offset_bytes }) => offset_bytes > 0)) return void child.kill('SIGKILL')
      }
    }
    const { printed } = await ended
    return /sub_[\w-]+/.exec(printed)?.[0] ?? ''
  }
  const first = await interrupted()
  // As a checkout on another machine: no memory of the first run, and another time of the file.
  utimesSync(large, 1, 1)
  const fresh = mkdtempSync(join(folder, 'home-'))
  const again = await start(['submit', 'huge.log', '--out', 'kits'], service.base, fresh).ended
  assert.equal(again.code, 0, again.printed)
  assert.match(again.printed, new RegExp(`${first}.*\nContinuing the upload that was interrupted\\.`))

  const second = await interrupted()
  assert.notEqual(second, first)
  appendFileSync(large, 'another line\n')
  const changed = await start(['submit', 'huge.log', '--out', 'kits'], service.base).ended
  assert.equal(changed.code, 0, changed.printed)
  assert.ok(!changed.printed.includes(second) && !changed.printed.includes('Continuing'), changed.printed)
})

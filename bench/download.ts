import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportFact, reportFigure } from './report.ts'
import { freePort } from '../test/kit/free-port.ts'
import { end, startKitseal, startServer } from './service/processes.ts'
import { textFile } from './upload/evidence.ts'
import { sendFile } from './upload/send.ts'
import { clientOf, workspace } from './upload/workspace.ts'
import { isInstalled, run } from './verify/run.ts'

/** `npm run bench:download`: a 100 MB kit, zipped on the fly, against a static file of the same size. */

const BYTES = 100_000_000
const ROUNDS = 25
const VERIFICATIONS = 10

const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${BYTES / 1e6} MB, loopback.\n`)
  await download()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function download(): Promise<void> {
  const data = join(folder, 'data')
  await using service = await startKitseal(data)
  const client = await workspace(service.base, data)
  const file = await textFile(join(folder, 'evidence.txt'), BYTES)
  const id = await client.submission()
  await sendFile(`${service.base}/v1/submissions/${id}/evidence`, file, { 'x-api-key': client.key })
  const { status, record } = await client.ended(id)
  if (status !== 'PASS') throw new Error(JSON.stringify(record))
  const ours = `${service.base}/v1/submissions/${id}/deliverables/kit.zip`
  await using bare = await startServer('bench/upload/bare-file-server.ts', [file])
  await using nginx = isInstalled('nginx') ? await nginxServer() : undefined
  const peers = [{ name: 'bare node:http that streams a file of the same size', base: bare.base }]
  if (nginx !== undefined) peers.push({ name: 'nginx, with sendfile', base: nginx.base })
  const best = new Map<string, number>()
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const rates: (readonly [string, number])[] = [['ours', await rateOf(ours, { 'x-api-key': client.key })]]
    for (const { name, base } of peers) rates.push([name, await rateOf(`${base}/evidence.txt`, {})])
    if (round === 0) continue
    ratios.push((rates[0]?.[1] ?? 0) / (rates[1]?.[1] ?? Number.NaN))
    for (const [name, rate] of rates) best.set(name, Math.max(best.get(name) ?? 0, rate))
  }
  const us = best.get('ours') ?? Number.NaN
  const them = best.get(peers[0]?.name ?? '') ?? Number.NaN
  reportFigure({
    what: 'download of a kit of 100 MB',
    against: peers[0]?.name ?? '',
    ours: `${us.toFixed(0)} MB/s`,
    theirs: `${them.toFixed(0)} MB/s`,
    ratio: us / them,
    goal: { least: 0.8 },
  })
  const reached = ratios.filter((ratio) => ratio >= 0.8).length
  reportFact(
    'runs at 0.8 of the bare server or more',
    `${reached} of ${ratios.length}; nine of ten are the goal`,
  )
  await verification(service.base, ours, client.key)
  const withNginx = best.get('nginx, with sendfile')
  if (withNginx !== undefined) {
    reportFact('the same from nginx, with sendfile', `${withNginx.toFixed(0)} MB/s`)
  }
}

/** The same kit, uploaded to the service to be verified, against the command line. */
async function verification(base: string, url: string, key: string): Promise<void> {
  const kit = await (await fetch(url, { headers: { 'x-api-key': key } })).bytes()
  const [file, jwks] = [join(folder, 'kit.zip'), join(folder, 'jwks.json')]
  await writeFile(file, kit)
  await writeFile(jwks, await (await fetch(`${base}/.well-known/jwks.json`)).bytes())
  // Not fetch(), which takes longer to send 100 MB than the service to verify them.
  const anyone = clientOf(base, key)
  const [service, alone]: [number[], number[]] = [[], []]
  for (let round = 0; round <= VERIFICATIONS; round++) {
    const started = performance.now()
    const { status } = await anyone.send('/v1/verify/kit', kit, { 'content-type': 'application/zip' })
    if (status !== 'PASS') throw new Error(String(status))
    const ours = performance.now() - started
    const program = await run([process.execPath, 'cli/bin/kitseal.cjs', 'verify', file, '--jwks', jwks])
    if (round === 0) continue
    service.push(ours)
    alone.push(program * 1000)
  }
  const [us, them] = [Math.min(...service), Math.min(...alone)]
  reportFigure({
    what: 'verification of the same kit by POST /v1/verify/kit',
    against: 'kitseal verify',
    ours: `${us.toFixed(0)} ms`,
    theirs: `${them.toFixed(0)} ms`,
    ratio: them / us,
    goal: { least: 0.7 },
  })
}

/** Megabytes per second; the content is discarded. */
function rateOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    get(url, { headers, agent: false }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => void (bytes += chunk.length))
      answer.on('end', () => {
        if (answer.statusCode === 200 && bytes >= BYTES) resolve(bytes / 1000 / (performance.now() - started))
        else reject(new Error(`${url}: ${answer.statusCode}, ${bytes} bytes`))
      })
    }).on('error', reject)
  })
}

async function nginxServer() {
  const place = join(folder, 'nginx')
  await mkdir(place)
  const port = await freePort()
  await writeFile(
    join(place, 'nginx.conf'),
    `pid ${place}/pid; error_log ${place}/error.log; daemon off; worker_processes 1; user root;
events {}
http { access_log off; sendfile on; client_body_temp_path ${place}; proxy_temp_path ${place}; fastcgi_temp_path ${place};
uwsgi_temp_path ${place}; scgi_temp_path ${place}; server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  )
  const child = spawn('nginx', ['-p', place, '-c', join(place, 'nginx.conf')], { stdio: 'ignore' })
  const base = `http://127.0.0.1:${port}`
  for (let wait = 0; wait < 100; wait++) {
    if (spawnSync('sh', ['-c', `test -s ${place}/pid`]).status === 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    base,
    [Symbol.asyncDispose]: () => end(child),
  }
}

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportFigure } from './report.ts'
import { startKitseal, startServer } from './service/processes.ts'
import { keyForLarge } from './upload/workspace.ts'
import { isInstalled, run } from './verify/run.ts'

/**
 * `npm run bench:commands [-- seal|check|submit]`: what people run on a folder, from start to exit, against the tools that
 * they would use instead. Both run in turn, and the fastest round of each counts.
 */

const KITSEAL = [process.execPath, new URL('../cli/bin/kitseal.cjs', import.meta.url).pathname] as const
const ROUNDS = 5
const SEALED = { files: 1000, bytesEach: 1024 * 1024 }
const LOGS = { files: 800, bytesEach: 700_000 }
const LIMIT_BYTES = 2 ** 30

const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  console.log(`Node ${process.version}, ${availableParallelism()} cores.\n`)
  const only = process.argv[2]
  for (const [name, part] of Object.entries({ seal, check, submit })) {
    if (only !== undefined && only !== name) continue
    await mkdir(join(folder, name))
    await part(join(folder, name))
    await rm(join(folder, name), { recursive: true })
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** A signed list of hashes and an archive that stores the files as they are. */
async function seal(place: string): Promise<void> {
  const evidence = join(place, 'evidence')
  await mkdir(evidence)
  const bytes = randomBytes(SEALED.bytesEach)
  for (let at = 0; at < SEALED.files; at++) {
    bytes.writeUInt32BE(at)
    await writeFile(join(evidence, `${at}.bin`), bytes)
  }
  execFileSync(KITSEAL[0], [KITSEAL[1], 'keygen', join(place, 'issuer.key')])
  const kit = join(place, 'kit.zip')
  const key = ['--key', join(place, 'issuer.key'), '--issuer', 'https://issuer.example', '--out', kit]
  await compare({
    what: `seal a folder of ${SEALED.files} files, 1 GiB`,
    against: '`sha256sum`, `minisign` and `zip -0`',
    ours: () => timed([...KITSEAL, 'seal', evidence, ...key], kit),
    theirs: () => timed(['sh', '-c', signedArchive(place)], join(place, 'peer.zip')),
    most: 0.7,
  })
}

function signedArchive(place: string): string {
  if (!isInstalled('minisign')) throw new Error('minisign is required for the comparison')
  execFileSync('minisign', ['-G', '-W', '-f', '-p', join(place, 'm.pub'), '-s', join(place, 'm.key')])
  return `cd '${place}' && sha256sum evidence/* > SUMS && minisign -S -W -s m.key -m SUMS >/dev/null && zip -0 -q -r peer.zip evidence SUMS SUMS.minisig`
}

async function check(place: string): Promise<void> {
  const evidence = await logsAndTables(place)
  // The default limit of an upload is below this size, so the command ends with 1.
  const command = `${KITSEAL.join(' ')} check '${evidence}' | grep -q upload_too_large`
  await compare({
    what: `check ${LOGS.files} logs and CSV files, 560 MB`,
    against: '`sha256sum` of them',
    ours: () => timed(['sh', '-c', command]),
    theirs: () => timed(['sh', '-c', `sha256sum '${evidence}'/* >/dev/null`]),
    most: 1.5,
  })
}

/** To the saved and verified kit, on the same two cores as the service. */
async function submit(place: string): Promise<void> {
  const evidence = await logsAndTables(place)
  const data = join(place, 'data')
  await using service = await startKitseal(data)
  await using bare = await startServer('bench/upload/bare-upload-server.ts', [place])
  const names = (await readdir(evidence)).map((name) => join(evidence, name))
  await writeFile(
    join(place, 'curl.txt'),
    names
      .map((name) => `url = "${bare.base}"\nupload-file = "${name}"\noutput = "/dev/null"`)
      .join('\nnext\n'),
  )
  execFileSync('sh', ['-c', `sha256sum '${evidence}'/* > '${place}/SUMS'`])
  const env = {
    ...process.env,
    KITSEAL_URL: service.base,
    KITSEAL_API_KEY: await keyForLarge(data, LIMIT_BYTES),
    HOME: place,
  }
  await compare({
    what: `submit ${LOGS.files} logs and CSV files, 560 MB, to a service on the same machine, to the verified kit`,
    against: '`curl` to a bare server that hashes and writes, and `sha256sum -c`',
    ours: async () => {
      const out = join(place, 'kits')
      const seconds = await timed([...KITSEAL, 'submit', evidence, '--out', out], undefined, env)
      await rm(out, { recursive: true })
      return seconds
    },
    theirs: async () => {
      const seconds = await timed([
        'sh',
        '-c',
        `curl -s -K '${place}/curl.txt' && sha256sum --quiet -c '${place}/SUMS'`,
      ])
      for (const name of await readdir(place)) if (name.startsWith('bare-')) await rm(join(place, name))
      return seconds
    },
    most: 1.5,
  })
}

async function logsAndTables(place: string): Promise<string> {
  const evidence = join(place, 'logs')
  await mkdir(evidence)
  for (let at = 0; at < LOGS.files; at++) {
    const isLog = at % 2 === 0
    const lines = isLog ? [] : ['id,mail,role,date,note']
    for (let size = 0; size < LOGS.bytesEach; size += (lines.at(-1)?.length ?? 0) + 1)
      lines.push(isLog ? logLine(at + size) : tableRow(at + size))
    await writeFile(join(evidence, `${at}.${isLog ? 'log' : 'csv'}`), `${lines.join('\n')}\n`)
  }
  return evidence
}

function logLine(seed: number): string {
  const day = String((seed % 28) + 1).padStart(2, '0')
  return `2026-06-${day}T08:15:00Z host${seed % 50} sshd[${1000 + (seed % 9000)}]: Accepted publickey for user${seed % 500} from 10.0.0.${seed % 255} port ${1024 + (seed % 60_000)} ssh2`
}

function tableRow(seed: number): string {
  return `${seed},user${seed % 5000}@example.com,role${seed % 9},2026-06-01,"Approved, by manager ${seed % 99}"`
}

/** Runs a command; then removes the file that it wrote. */
async function timed(
  command: readonly string[],
  written?: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  await run(['sync'])
  const seconds = await run(command, env)
  if (written !== undefined) await rm(written)
  return seconds
}

async function compare(order: {
  readonly what: string
  readonly against: string
  readonly ours: () => Promise<number>
  readonly theirs: () => Promise<number>
  readonly most: number
}): Promise<void> {
  const times = { ours: Array.of<number>(), theirs: Array.of<number>() }
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await order.ours())
    times.theirs.push(await order.theirs())
  }
  const [ours, theirs] = [Math.min(...times.ours), Math.min(...times.theirs)]
  reportFigure({
    what: order.what,
    against: order.against,
    ours: `${ours.toFixed(2)} s`,
    theirs: `${theirs.toFixed(2)} s`,
    ratio: ours / theirs,
    goal: { most: order.most },
  })
}

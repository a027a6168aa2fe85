// `npm run bench:verify [-- PART…] [--quick]`: what people run on files, from start to exit, beside the tools that they would use instead.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SAMPLES, writeLogs } from './evidence.ts'
import { compared, KITSEAL, measureParts, type Row, run, shell, sized } from './measure.ts'

const ROUNDS = sized(5)

await measureParts({ large, files, small, seal, check, examine })

/** A kit of random content, as zip and folder. */
async function kitOf(place: string, count: number, bytesEach: number) {
  const evidence = randomFiles(place, count, bytesEach)
  const key = join(place, 'issuer.key')
  execFileSync(KITSEAL[0], [KITSEAL[1], 'keygen', key])
  const zip = join(place, 'kit.zip')
  await run([...KITSEAL, 'seal', evidence, '--key', key, '--issuer', 'https://issuer.example', '--out', zip])
  rmSync(evidence, { recursive: true })
  // Written pages would disturb the measurement.
  await run(['sync'])
  return { zip, verify: [...KITSEAL, 'verify', '--jwks', `${key}.jwks.json`] }
}

function randomFiles(place: string, count: number, bytesEach: number): string {
  const evidence = join(place, 'evidence')
  mkdirSync(evidence)
  const bytes = randomBytes(bytesEach)
  for (let at = 0; at < count; at++) {
    bytes.writeUInt32BE(at)
    writeFileSync(join(evidence, `${at}.bin`), bytes)
  }
  return evidence
}

async function large(folder: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const { gib, least, onOne } of [
    { gib: 4, least: 1.85, onOne: [] },
    { gib: 1, least: 0.95, onOne: ['taskset', '-c', '0'] },
  ]) {
    const place = join(folder, String(gib))
    mkdirSync(place)
    const { zip, verify } = await kitOf(place, 10 * gib, sized(2 ** 30 / 10))
    rows.push(
      await compared({
        what: `verify a kit of ${gib} GiB, ${onOne.length === 0 ? 'all cores' : 'one core'}`,
        peer: 'openssl dgst -sha256, one core',
        rounds: ROUNDS,
        least,
        ours: () => run([...onOne, ...verify, zip]),
        theirs: () => run(['openssl', 'dgst', '-sha256', zip]),
      }),
    )
    rmSync(place, { recursive: true })
  }
  return rows
}

/** What each file costs counts. */
async function files(folder: string): Promise<readonly Row[]> {
  const { zip, verify } = await kitOf(folder, sized(10_000), 16 * 1024)
  await shell('cd "$1" && unzip -q kit.zip -d unpacked && mv unpacked/* kit', folder)
  const kit = join(folder, 'kit')
  const of = (what: string, path: string): Promise<Row> =>
    compared({
      what: `verify 10,000 files, ${what}`,
      peer: 'sha256sum -c',
      rounds: ROUNDS,
      least: 1.1,
      ours: () => run([...verify, path]),
      theirs: () => shell('cd "$1" && sha256sum --quiet -c SHA256SUMS', kit),
    })
  return [await of('zip', zip), await of('folder', kit)]
}

async function small(folder: string): Promise<readonly Row[]> {
  const { zip, verify } = await kitOf(folder, 3, 2 ** 11)
  return [
    await compared({
      what: 'verify a small kit, from start to exit',
      peer: 'node -e 0',
      rounds: sized(21),
      most: 2,
      ours: () => run([...verify, zip]),
      theirs: () => run([process.execPath, '-e', '0']),
    }),
  ]
}

/** A signed list of hashes, and an archive that stores the files as they are. */
async function seal(folder: string): Promise<readonly Row[]> {
  const evidence = randomFiles(folder, sized(1000), 2 ** 20)
  const key = join(folder, 'issuer.key')
  execFileSync(KITSEAL[0], [KITSEAL[1], 'keygen', key])
  const kit = join(folder, 'kit.zip')
  const command = [
    ...KITSEAL,
    'seal',
    evidence,
    '--key',
    key,
    '--issuer',
    'https://issuer.example',
    '--out',
    kit,
  ]
  const byHand = `cd "$1" && rm -f peer.zip && sha256sum evidence/* >SUMS &&
    openssl pkeyutl -sign -rawin -inkey issuer.key -in SUMS -out SUMS.sig && zip -0 -q -r peer.zip evidence SUMS SUMS.sig`
  return [
    await compared({
      what: 'seal 1 GiB, 1,000 files',
      peer: 'sha256sum, openssl pkeyutl, zip -0',
      rounds: ROUNDS,
      most: 0.5,
      ours: async () => {
        rmSync(kit, { force: true })
        await run(['sync'])
        return run(command)
      },
      theirs: async () => {
        await run(['sync'])
        return shell(byHand, folder)
      },
    }),
  ]
}

async function check(folder: string): Promise<readonly Row[]> {
  const logs = writeLogs(join(folder, 'logs'), sized(800))
  return [
    await compared({
      what: 'check 800 logs and CSV files, 560 MB',
      peer: 'sha256sum',
      rounds: ROUNDS,
      most: 1.4,
      // More than the default limit of an upload, which is the finding.
      ours: () => shell('"$1" "$2" check "$3" >/dev/null || test $? = 1', ...KITSEAL, logs),
      theirs: () => shell('sha256sum "$1"/* >/dev/null', logs),
    }),
  ]
}

/** On one core. */
async function examine(folder: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  const goals: Readonly<Record<string, number>> = { log: 0.25, csv: 0.25, json: 0.25, pdf: 0.16, docx: 0.05 }
  for (const [type, write] of Object.entries(SAMPLES)) {
    const file = join(folder, `evidence.${type}`)
    write(file, sized(type === 'docx' ? 5_000_000 : 80_000_000))
    rows.push(
      await compared({
        what: `examine ${type}, one core`,
        peer: 'sha256sum',
        rounds: ROUNDS,
        least: goals[type] ?? 0,
        ours: () => shell('taskset -c 0 "$1" "$2" check "$3" >/dev/null || test $? = 1', ...KITSEAL, file),
        theirs: () => run(['taskset', '-c', '0', 'sha256sum', file]),
      }),
    )
    rmSync(file)
  }
  return rows
}

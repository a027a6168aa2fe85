import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeKitOnDisk } from './verify/make-kit-on-disk.ts'
import { isInstalled, fastest, type Run, run } from './verify/run.ts'

/**
 * `npm run bench:verify [-- MEBIBYTES]`: a large kit against the tools that a reviewer would reach for, a small one
 * against starting Node at all. Every round runs each contender once, and the fastest round of each counts: whatever
 * else the machine does can only add to a time.
 */
const MEBIBYTES = Number(process.argv[2] ?? 1024)
const FILES = 10
const ROUNDS = 9
const SMALL_ROUNDS = 21
const KITSEAL = [process.execPath, new URL('../cli/bin/kitseal.cjs', import.meta.url).pathname] as const

interface Verdict {
  readonly what: string
  readonly ratio: number
  readonly goal: string
  readonly holds: boolean
}

const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model}), ${MEBIBYTES} MiB in ${FILES} files.\n`,
  )
  const verdicts = [...(await largeKit()), await smallKit()]
  console.log()
  for (const { what, ratio, goal, holds } of verdicts) {
    console.log(`${holds ? 'holds' : 'FAILS'}  ${what}: ${ratio.toFixed(2)} (${goal})`)
  }
  if (verdicts.some(({ holds }) => !holds)) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function largeKit(): Promise<readonly Verdict[]> {
  const kit = await makeKitOnDisk(join(folder, 'large'), FILES, (MEBIBYTES * 1024 * 1024) / FILES)
  const halves = [0, 1].map((half) =>
    kit.files
      .filter((_, index) => index % 2 === half)
      .map((path) => `'${path}'`)
      .join(' '),
  )
  const hashlib = `import hashlib, sys
for path in sys.argv[1:]:
    with open(path, 'rb') as file: hashlib.file_digest(file, 'sha256')`
  const verify = [...KITSEAL, 'verify', kit.zip, '--jwks', kit.jwks]
  const contenders: Readonly<Record<string, readonly string[]>> = {
    'openssl dgst -sha256, the zip': ['openssl', 'dgst', '-sha256', kit.zip],
    'kitseal verify, one core': ['taskset', '-c', '0', ...verify],
    'kitseal verify': verify,
    'kitseal verify, the folder': [...KITSEAL, 'verify', kit.folder, '--jwks', kit.jwks],
    'python hashlib, two processes': [
      'sh',
      '-c',
      halves.map((half) => `python3 -c "${hashlib}" ${half} &`).join(' ') + ' wait',
    ],
    'sha256sum -c': ['sh', '-c', `cd '${kit.folder}' && sha256sum --quiet -c SHA256SUMS`],
    'hashdeep -a': [
      'sh',
      '-c',
      `cd '${kit.folder}' && hashdeep -c sha256 -l -a -k ../known.txt ${kit.names.join(' ')}`,
    ],
    'unzip -t': ['unzip', '-qq', '-t', kit.zip],
  }
  if (isInstalled('hashdeep')) {
    await run([
      'sh',
      '-c',
      `cd '${kit.folder}' && hashdeep -c sha256 -l ${kit.names.join(' ')} > ../known.txt`,
    ])
  }
  const times = await rounds(contenders, ROUNDS)
  const base = times.get('openssl dgst -sha256, the zip')
  if (base === undefined) throw new Error('openssl is needed as the measure')
  print(times, base)
  const ratio = (name: string): number => base.seconds / (times.get(name)?.seconds ?? Infinity)
  const peakMb = Math.max(
    times.get('kitseal verify')?.peakMb ?? 0,
    times.get('kitseal verify, the folder')?.peakMb ?? 0,
  )
  const others = ['python hashlib, two processes', 'sha256sum -c', 'hashdeep -a'].filter((name) =>
    times.has(name),
  )
  const bestOther = Math.max(...others.map(ratio))
  return [
    atLeast('one core, against openssl dgst', ratio('kitseal verify, one core'), 0.9),
    atLeast('all cores, against openssl dgst on one', ratio('kitseal verify'), 1.75),
    atLeast('all cores, against the best of the other tools', ratio('kitseal verify') / bestOther, 1),
    { what: 'peak memory in MB', ratio: peakMb, goal: 'under 200', holds: peakMb < 200 },
  ]
}

async function smallKit(): Promise<Verdict> {
  const kit = await makeKitOnDisk(join(folder, 'small'), 3, 2000)
  const times = await rounds(
    {
      'node -e 0': [process.execPath, '-e', '0'],
      'kitseal verify, a small kit': [...KITSEAL, 'verify', kit.zip, '--jwks', kit.jwks],
    },
    SMALL_ROUNDS,
  )
  const bare = times.get('node -e 0')?.seconds ?? 0
  const ours = times.get('kitseal verify, a small kit')?.seconds ?? Infinity
  console.log(
    `node -e 0: ${(bare * 1000).toFixed(0)} ms; kitseal verify, a small kit: ${(ours * 1000).toFixed(0)} ms`,
  )
  return {
    what: 'a small kit, against node -e 0',
    ratio: ours / bare,
    goal: 'under 3',
    holds: ours < bare * 3,
  }
}

async function rounds(
  contenders: Readonly<Record<string, readonly string[]>>,
  count: number,
): Promise<ReadonlyMap<string, Run>> {
  const runs = new Map<string, Run[]>()
  for (let round = 0; round <= count; round++) {
    for (const [name, command] of Object.entries(contenders)) {
      const program = name.split(/[ ,]/, 1)[0] ?? ''
      if (!isInstalled(program === 'kitseal' ? 'node' : program === 'python' ? 'python3' : program)) continue
      const result = await run(command)
      // The first round warms caches and counts for nobody.
      if (round > 0) runs.set(name, [...(runs.get(name) ?? []), result])
    }
  }
  return new Map([...runs].map(([name, all]) => [name, fastest(all)]))
}

function print(times: ReadonlyMap<string, Run>, base: Run): void {
  for (const [name, { seconds, peakMb }] of times) {
    const ratio = (base.seconds / seconds).toFixed(2)
    console.log(`${name.padEnd(32)} ${seconds.toFixed(2)} s   ${ratio} of openssl   ${peakMb} MB`)
  }
  console.log()
}

function atLeast(what: string, ratio: number, goal: number): Verdict {
  return { what, ratio, goal: `${goal} or more`, holds: ratio >= goal }
}

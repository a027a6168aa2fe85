import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { plotOf } from './plot.ts'
import { goalText, holds, type Record, type Table } from './report.ts'

/**
 * `npm run bench [-- PART…]`: runs every part, one after the other, and writes docs/performance.md and its plots.
 * With parts named, runs only those and writes nothing.
 */
const PARTS = [
  'service',
  'submission',
  'upload',
  'download',
  'scale',
  'log',
  'verify',
  'webhooks',
  'evidence',
  'upkeep',
] as const
const ROOT = join(import.meta.dirname, '..')
const PLOTS = join(ROOT, 'docs', 'performance')

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !PARTS.some((part) => part === name))
if (unknown.length > 0) {
  console.error(`bench: unknown part ${unknown.join(', ')}. Parts: ${PARTS.join(', ')}`)
  process.exitCode = 2
} else {
  await bench(asked.length === 0 ? PARTS : PARTS.filter((part) => asked.includes(part)))
}

async function bench(parts: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
  try {
    const found = new Map<string, readonly Record[]>()
    for (const part of parts) {
      console.log(`\n== ${part} ==\n`)
      const record = join(folder, part)
      await writeFile(record, '')
      const code = await runPart(part, record)
      if (code !== 0) process.exitCode = 1
      found.set(part, recordsIn(record))
      // Written after each part, so that an interrupted run keeps its results.
      if (asked.length === 0) await write(found)
    }
    if (asked.length === 0) console.log('Wrote docs/performance.md.')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runPart(part: string, record: string): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${part}.ts`)], {
    env: { ...process.env, BENCH_RECORD: record },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

function recordsIn(file: string): readonly Record[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record)
}

async function write(found: ReadonlyMap<string, readonly Record[]>): Promise<void> {
  await rm(PLOTS, { recursive: true, force: true })
  await mkdir(PLOTS, { recursive: true })
  const sections: string[] = []
  for (const [part, records] of found) sections.push(await section(part, records))
  const findings = readFileSync(join(import.meta.dirname, 'findings.md'), 'utf8')
  const page = `# Performance

Measured by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}, on a machine with ${machine()}. Each figure is
compared with a peer that was measured alternately in the same run: ratios carry over to other machines, times do not. The fastest
round of each side counts, because other load can only slow things down. Percentiles are over all requests.
\`npm run bench -- PART\` repeats one part: ${[...found.keys()].join(', ')}.

${sections.join('\n')}
${findings.trim()}
`
  await writeFile(join(ROOT, 'docs', 'performance.md'), page)
}

async function section(part: string, records: readonly Record[]): Promise<string> {
  const rows = records.flatMap((record) =>
    record.is === 'figure'
      ? [
          `| ${record.what} | ${record.against} | ${record.ours} | ${record.theirs} | ${record.ratio.toFixed(2)} | ${goalText(record.goal)} | ${holds(record) ? 'yes' : '**no**'} |`,
        ]
      : [],
  )
  const facts = records.flatMap((record) =>
    record.is === 'fact' ? [`- ${record.what}: ${record.value}`] : [],
  )
  const table =
    rows.length === 0
      ? ''
      : `| what | against | ours | theirs | ratio | goal | held |\n| --- | --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}\n\n`
  const tables = records.flatMap((record) => (record.is === 'table' ? [tableText(record)] : []))
  return `## \`npm run bench:${part}\`\n\n${tables.join('')}${table}${facts.join('\n')}\n\n${await plots(records)}`
}

function tableText({ title, head, rows }: Table): string {
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  return `${title[0]?.toUpperCase()}${title.slice(1)}:\n\n${lines.join('\n')}\n\n`
}

async function plots(records: readonly Record[]): Promise<string> {
  const series = records.flatMap((record) => (record.is === 'series' ? [record] : []))
  const names = new Set(series.map(({ plot }) => plot))
  const images: string[] = []
  for (const name of names) {
    const file = `${name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}.svg`
    await writeFile(
      join(PLOTS, file),
      plotOf(
        name,
        series.filter(({ plot }) => plot === name),
      ),
    )
    images.push(`![${name}](performance/${file})\n`)
  }
  return images.join('\n')
}

function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${memory} GiB, Linux ${release()}, Node ${process.version}`
}

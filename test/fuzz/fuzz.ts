// npm run fuzz -- --seconds N [--seed S] [--target NAME]…       runs cases for N seconds
// npm run fuzz -- --target NAME --case SEED                     repeats one case
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startCaseTimeout } from './case-timeout.ts'
import { type Found, replay, runFuzz, TARGET_NAMES, type TargetName } from './run-fuzz.ts'

const LONGEST_CASE_MS = 60_000
const FOUND_FOLDER = path.join(import.meta.dirname, '../../.cache/fuzz')

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    target: { type: 'string', multiple: true, default: [...TARGET_NAMES] },
    case: { type: 'string' },
  },
})
const targets = values.target.map((name) => {
  if (!TARGET_NAMES.includes(name as TargetName))
    throw new Error(`unknown target. Targets: ${TARGET_NAMES.join(', ')}`)
  return name as TargetName
})

process.exitCode = values.case === undefined ? await fuzz() : await again(Number(values.case))

async function fuzz(): Promise<number> {
  const seed = values.seed === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(values.seed)
  const started = performance.now()
  const end = started + Number(values.seconds) * 1000
  await using watch = startCaseTimeout(LONGEST_CASE_MS)
  console.log(`fuzz: seed ${seed}, targets ${targets.join(', ')}`)
  const { cases, found } = await runFuzz({
    seed,
    targets,
    isOver: () => performance.now() >= end,
    onCase: (target, caseSeed) => watch.started(`--target ${target} --case ${caseSeed}`),
  })
  for (const one of found) show(one)
  for (const [name, { accepted, refused }] of Object.entries(cases))
    console.log(`fuzz: ${name}: ${accepted + refused} cases, ${accepted} accepted and found correct`)
  const total = Object.values(cases).reduce((sum, { accepted, refused }) => sum + accepted + refused, 0)
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`fuzz: ${total} cases in ${seconds} s, ${found.length} findings, seed ${seed}`)
  return found.length === 0 ? 0 : 1
}

async function again(seed: number): Promise<number> {
  const [target] = targets
  if (targets.length !== 1 || target === undefined) throw new Error('--case needs exactly one --target')
  const found = await replay(target, seed)
  if (found !== undefined) show(found)
  console.log(found === undefined ? 'fuzz: the case passes' : 'fuzz: the case fails')
  return found === undefined ? 0 : 1
}

function show({ target, seed, message, input }: Found): void {
  mkdirSync(FOUND_FOLDER, { recursive: true })
  const file = path.join(FOUND_FOLDER, `${target}-${seed}`)
  writeFileSync(file, input)
  console.log(`FOUND --target ${target} --case ${seed}\n${message}\n  input: ${file}`)
}

import { seededRandom } from '../kit/seeded-random.ts'
import { documentTarget } from './targets/documents.ts'
import { evidenceTarget } from './targets/evidence.ts'
import { formTarget } from './targets/forms.ts'
import { kitTarget } from './targets/kits.ts'
import { logTarget } from './targets/logs.ts'
import { serviceTarget } from './targets/service.ts'
import { CaseFailure, type Target } from './target.ts'

/** Cases per round, chosen so that each target takes about the same time. */
const TARGETS = {
  kits: { make: kitTarget, turns: 20 },
  documents: { make: documentTarget, turns: 40 },
  evidence: { make: evidenceTarget, turns: 20 },
  forms: { make: formTarget, turns: 60 },
  logs: { make: logTarget, turns: 60 },
  service: { make: serviceTarget, turns: 1 },
} as const satisfies Readonly<
  Record<string, { readonly make: () => Target | Promise<Target>; readonly turns: number }>
>

export type TargetName = keyof typeof TARGETS
export const TARGET_NAMES = Object.keys(TARGETS) as readonly TargetName[]

export interface FuzzOptions {
  readonly seed: number
  readonly targets: readonly TargetName[]
  /** Called before each case. */
  readonly isOver: (cases: number) => boolean
  /** Called before each case, so that a hanging case can be reported. */
  readonly onCase?: (target: TargetName, seed: number) => void
}

export interface FuzzResult {
  readonly cases: Readonly<Record<string, { readonly accepted: number; readonly refused: number }>>
  readonly found: readonly Found[]
}

export interface Found {
  readonly target: TargetName
  /** Repeats this case with `replay`. */
  readonly seed: number
  readonly message: string
  readonly input: Uint8Array
}

export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  await using stack = new AsyncDisposableStack()
  const targets: { readonly name: TargetName; readonly target: Target; readonly turns: number }[] = []
  for (const name of options.targets)
    targets.push({ name, target: stack.use(await TARGETS[name].make()), turns: TARGETS[name].turns })
  const cases: Record<string, { accepted: number; refused: number }> = {}
  const found: Found[] = []
  let count = 0
  for (;;)
    for (const { name, target, turns } of targets)
      for (let turn = 0; turn < turns; turn++) {
        if (options.isOver(count)) return { cases, found }
        const seed = caseSeed(options.seed, name, count++)
        options.onCase?.(name, seed)
        const failure = await runCase(name, target, seed, (cases[name] ??= { accepted: 0, refused: 0 }))
        if (failure !== undefined) found.push(failure)
      }
}

/** Repeats one case. */
export async function replay(name: TargetName, seed: number): Promise<Found | undefined> {
  await using target = await TARGETS[name].make()
  return await runCase(name, target, seed, { accepted: 0, refused: 0 })
}

async function runCase(
  target: TargetName,
  { run }: Target,
  seed: number,
  counts: { accepted: number; refused: number },
): Promise<Found | undefined> {
  try {
    counts[await run(seededRandom(seed))] += 1
    return undefined
  } catch (error) {
    const input = error instanceof CaseFailure ? error.input : new Uint8Array(0)
    return {
      target,
      seed,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      input,
    }
  }
}

function caseSeed(seed: number, name: string, index: number): number {
  let hash = seed | 0
  for (const character of `${name} ${index}`) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0
  return hash >>> 0
}

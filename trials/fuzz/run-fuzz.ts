import { diceOf } from '../dice.ts'
import { documentTarget } from './targets/documents.ts'
import { evidenceTarget } from './targets/evidence.ts'
import { formTarget } from './targets/forms.ts'
import { kitTarget } from './targets/kits.ts'
import { serviceTarget } from './targets/service.ts'
import { Broken, type Target } from './target.ts'

/** How many cases of each target are run in a turn: about the same time each. */
const TARGETS = {
  kits: { make: kitTarget, turns: 20 },
  documents: { make: documentTarget, turns: 40 },
  evidence: { make: evidenceTarget, turns: 20 },
  forms: { make: formTarget, turns: 60 },
  service: { make: serviceTarget, turns: 1 },
} as const satisfies Readonly<
  Record<string, { readonly make: () => Target | Promise<Target>; readonly turns: number }>
>

export type TargetName = keyof typeof TARGETS
export const TARGET_NAMES = Object.keys(TARGETS) as readonly TargetName[]

export interface FuzzOrder {
  readonly seed: number
  readonly targets: readonly TargetName[]
  /** Asked before each case. */
  readonly isOver: (cases: number) => boolean
  /** Told before each case, for whoever watches whether it ends. */
  readonly onCase?: (target: TargetName, seed: number) => void
}

export interface FuzzResult {
  readonly cases: Readonly<Record<string, { readonly accepted: number; readonly refused: number }>>
  readonly found: readonly Found[]
}

export interface Found {
  readonly target: TargetName
  /** Runs the case again, alone. */
  readonly seed: number
  readonly message: string
  readonly input: Uint8Array
}

export async function runFuzz(order: FuzzOrder): Promise<FuzzResult> {
  await using stack = new AsyncDisposableStack()
  const targets: { readonly name: TargetName; readonly target: Target; readonly turns: number }[] = []
  for (const name of order.targets)
    targets.push({ name, target: stack.use(await TARGETS[name].make()), turns: TARGETS[name].turns })
  const cases: Record<string, { accepted: number; refused: number }> = {}
  const found: Found[] = []
  let count = 0
  for (;;)
    for (const { name, target, turns } of targets)
      for (let turn = 0; turn < turns; turn++) {
        if (order.isOver(count)) return { cases, found }
        const seed = caseSeed(order.seed, name, count++)
        order.onCase?.(name, seed)
        const broken = await runCase(name, target, seed, (cases[name] ??= { accepted: 0, refused: 0 }))
        if (broken !== undefined) found.push(broken)
      }
}

/** One case alone, as its seed says. */
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
    counts[await run(diceOf(seed))] += 1
    return undefined
  } catch (error) {
    const input = error instanceof Broken ? error.input : new Uint8Array(0)
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

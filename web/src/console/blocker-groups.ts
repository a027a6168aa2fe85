import type { Blocker } from './types.ts'

/** One thing that is wrong, and every place where it is. */
export interface BlockerGroup extends Omit<Blocker, 'path'> {
  /** None where it is about the submission as a whole. */
  readonly paths: readonly string[]
}

/** What is wrong in the same words at many paths is one thing, where the first of them stands. */
export function grouped(blockers: readonly Blocker[]): readonly BlockerGroup[] {
  const groups = Map.groupBy(blockers, ({ code, message, remedy }) => JSON.stringify([code, message, remedy]))
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike
    if (first === undefined) return []
    const { code, message, remedy } = first
    return { code, message, remedy, paths: alike.flatMap(({ path }) => path ?? []) }
  })
}

/** The service lists so many and says how many more there are: then what is not listed is not known to be good. */
export const isCut = (blockers: readonly Blocker[]): boolean =>
  blockers.some(({ code }) => code === 'more_blockers')

/** How many are listed, without the one that says that there are more. */
export const listed = (blockers: readonly Blocker[]): number => blockers.length - Number(isCut(blockers))

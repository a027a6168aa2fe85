import { counting } from '../counting.ts'

const english = counting('en')

export const { number } = english

/** "1 file", "2 files". */
export const counted = (count: number, one: string, other = `${one}s`): string =>
  english.counted(count, one, other)

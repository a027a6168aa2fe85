import { counting } from '../counting.ts'

export const { number } = counting('ja')

/** 「3件」「2個のファイル」: the counter follows the number, and does not change with it. */
export const counted = (count: number, counter: string): string => `${number(count)}${counter}`

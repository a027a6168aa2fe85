import { counting } from '../counting.ts'

export const { number, counted } = counting('fr')

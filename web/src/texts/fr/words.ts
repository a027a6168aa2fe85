import { counting } from '../counting.ts'

export const { number, counted } = counting('fr')

export const files = (count: number): string => counted(count, 'fichier', 'fichiers')
export const items = (count: number): string => counted(count, 'élément', 'éléments')
export const kits = (count: number): string => counted(count, 'kit', 'kits')

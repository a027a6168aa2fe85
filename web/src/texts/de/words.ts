import { counting } from '../counting.ts'

export const { number, counted } = counting('de')

export const files = (count: number): string => counted(count, 'Datei', 'Dateien')
export const items = (count: number): string => counted(count, 'Position', 'Positionen')
export const kits = (count: number): string => counted(count, 'Kit', 'Kits')

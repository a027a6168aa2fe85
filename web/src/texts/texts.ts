import type { en } from './en/index.ts'

export type Texts = typeof en

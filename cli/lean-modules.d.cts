import type { Plugin } from 'esbuild'

export const leanModules: Plugin

import type { Plugin } from 'vite'

const INSTEAD: Readonly<Record<string, string>> = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
}

/** Public pages run on Preact, a tenth of the size. The console needs React for its components. */
export const preact = (): Plugin => ({
  name: 'preact',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'public',
  async resolveId(id) {
    const instead = INSTEAD[id]
    if (instead === undefined) return undefined
    const found = await this.resolve(instead)
    return found ?? this.error(`${instead} is not installed, and public pages are built with it: run npm ci`)
  },
})

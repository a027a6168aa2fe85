import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './compressed.ts'
import { texts } from './page-texts.ts'
import { preact } from './preact.ts'
import { siteFiles } from './site-files.ts'

const pages = (...names: readonly string[]) => ({
  input: names.map((name) => path.join(import.meta.dirname, `${name}.html`)),
})

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [preact(), react(), texts(), siteFiles(), compressed(mode)],
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // The Content-Security-Policy blocks data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // Both are built, one after the other. The manifests are read by the test of download sizes.
  builder: {},
  environments: {
    client: {
      build: { emptyOutDir: true, manifest: '.vite/console.json', rolldownOptions: pages('console') },
    },
    public: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        manifest: '.vite/public.json',
        rolldownOptions: pages('verify', 'share', 'request'),
      },
    },
  },
}))

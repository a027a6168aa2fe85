import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './compressed.ts'
import { texts } from './page-texts.ts'
import { siteFiles } from './site-files.ts'
import { themeVariables } from './theme-variables.ts'

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [react(), themeVariables(), texts(), siteFiles(), compressed(mode)],
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Read by the test of download sizes.
    manifest: true,
    // The Content-Security-Policy blocks data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['verify.html', 'console.html', 'share.html', 'request.html'].map((page) =>
        path.join(import.meta.dirname, page),
      ),
    },
  },
}))

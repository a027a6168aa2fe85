import { writeFileSync } from 'node:fs'
import { helpPages } from './src/help-pages.ts'
import { COMMANDS } from './src/main.ts'

export const REFERENCE = new URL('../docs/reference/cli.md', import.meta.url)

/** `node cli/make-reference.ts` writes docs/reference/cli.md from the help of the commands. */
export async function cliReference(): Promise<string> {
  const pages = await helpPages(COMMANDS)
  const summaries = Object.entries(COMMANDS).map(
    ([name, [summary]]) => `- [\`${name}\`](#kitseal-${name}): ${summary}`,
  )
  return [
    '# Command line',
    '',
    'In a checkout, run `npx kitseal COMMAND`. `kitseal COMMAND --help` prints the text below.',
    '',
    ...summaries,
    '',
    '## Install',
    '',
    'In a checkout there is nothing to install: run `npx kitseal`. Elsewhere, use one of the files of a release. They verify, check, submit and do everything',
    'else except run the service.',
    '',
    '| file                  | for                                                                         | size   |',
    '| --------------------- | --------------------------------------------------------------------------- | ------ |',
    '| `kitseal-VERSION.tgz` | any system with Node.js 20 or newer: `npm install -g ./kitseal-VERSION.tgz` | 0.4 MB |',
    '| `kitseal.cjs`         | any system with Node.js 20 or newer: `node kitseal.cjs`                     | 1 MB   |',
    '| `kitseal-linux-x64`   | Linux on Intel and AMD, without Node.js                                     | 128 MB |',
    '| `kitseal-linux-arm64` | Linux on ARM, without Node.js                                               | 124 MB |',
    '| `kitseal-win-x64.exe` | Windows, without Node.js                                                    | 95 MB  |',
    '',
    'No package of kitseal is published on npm or another registry: install only from the files of a release that you trust. Compare the file with',
    '`SHA256SUMS` of the release: `sha256sum --check --ignore-missing SHA256SUMS`. On Linux, make it executable with `chmod +x`.',
    '',
    'With Node.js 20, `monitor` and `witness` do not run: they need Node.js 22.13. A proxy needs Node.js 24.14. The executables have neither limit.',
    '',
    'The Windows program is not signed, so Windows may warn before the first start, and it is not tested on Windows. There is none for macOS, which',
    'runs signed programs only: use the package or `kitseal.cjs`.',
    '',
    '`npm run release -- --all` builds these files in a checkout, on Linux. It downloads Node.js from npm.',
    '',
    '## Proxies',
    '',
    'Requests go through the proxy in `HTTPS_PROXY` (for https) or `HTTP_PROXY` (for http), in upper or lower case, except to hosts in `NO_PROXY` and to',
    'this machine. `kitseal serve` and other servers do not use it. If the proxy refuses, its address and status are in the error message.',
    '',
    'If the service or the proxy has a certificate of your own CA, set `NODE_EXTRA_CA_CERTS` to the PEM file of the CA.',
    '',
    '## Tracing',
    '',
    'Commands that call a service send the `traceparent` (W3C Trace Context) in `TRACEPARENT`, so that the service logs their requests under that trace.',
    '',
    '## Exit codes',
    '',
    '| code | meaning                                                                           |',
    '| ---- | --------------------------------------------------------------------------------- |',
    '| 0    | success, or PASS                                                                  |',
    '| 1    | FAIL                                                                              |',
    '| 2    | wrong usage, unreadable input, or the service cannot be reached                   |',
    '| 3    | FAIL: the files are intact, but the sender is not confirmed                       |',
    '| 4    | the service refused the call: not allowed, not found, rate limited or unavailable |',
    '',
    ...pages.flatMap(({ command, text }) => [
      `## kitseal ${command}`,
      '',
      '```text',
      text.trimEnd(),
      '```',
      '',
    ]),
  ].join('\n')
}

if (import.meta.main) writeFileSync(REFERENCE, await cliReference())

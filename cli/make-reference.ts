import { writeFileSync } from 'node:fs'
import { helpPages } from './src/help-pages.ts'
import { COMMANDS } from './src/main.ts'

export const REFERENCE = new URL('../docs/reference/cli.md', import.meta.url)

/** `node cli/make-reference.ts` writes docs/reference/cli.md from the help of the commands. */
export async function cliReference(): Promise<string> {
  const pages = await helpPages(COMMANDS)
  const summaries = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `- [\`${name}\`](#kitseal-${name}): ${summary}`,
  )
  return [
    '# Command line',
    '',
    'In a checkout, run `npx kitseal COMMAND`. `kitseal COMMAND --help` prints the text below.',
    '',
    ...summaries,
    '',
    '## Proxies',
    '',
    'Requests go through the proxy in `HTTPS_PROXY` (for https) or `HTTP_PROXY` (for http), in upper or lower case, except to hosts in `NO_PROXY` and to',
    'this machine. `kitseal serve` and other servers do not use it.',
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

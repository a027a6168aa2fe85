// `node cli/make-reference.ts` writes docs/reference/cli.md from the help of the commands.
import { writeFileSync } from 'node:fs'
import type { CommandTable } from './src/command-line.ts'
import { ADMIN_COMMANDS } from './src/commands/admin.ts'
import { COMMANDS } from './src/main.ts'

export const REFERENCE = new URL('../docs/reference/cli.md', import.meta.url)

const INTRODUCTION = `# Command line

This page has the usage of every command. \`kitseal COMMAND --help\` explains all its options, with examples.

## Install

[Install](../how-to/install.md) it from the files of a release. In a checkout, run \`npx kitseal COMMAND\`.

## Options of most commands

- \`--url URL\`: the service; otherwise \`KITSEAL_URL\`, the one you logged in to, or \`http://127.0.0.1:8080\`
- \`--json\`: print the result as JSON
- \`--data DIR\`, for \`admin\`: the data folder of the service; otherwise \`KITSEAL_DATA\`, or \`./data\`

The API key is read from \`KITSEAL_API_KEY\`, was stored by \`kitseal login\`, or is asked for. It is never an argument, because other users of the
machine can see those. A CI job with \`KITSEAL_FEDERATION_ID\` needs none. What ends with … can be repeated.

## Proxies

Requests go through the proxy in \`HTTPS_PROXY\` or \`HTTP_PROXY\`, except to hosts in \`NO_PROXY\` and to this machine. Servers such as \`kitseal serve\` do
not use it. For a CA of your own, set \`NODE_EXTRA_CA_CERTS\` to its PEM file.

## Tracing

Commands send the \`traceparent\` (W3C Trace Context) in \`TRACEPARENT\`, and the service logs their requests under that trace.

## Exit codes

| code | meaning                                                                           |
| ---- | --------------------------------------------------------------------------------- |
| 0    | success, or PASS                                                                  |
| 1    | FAIL                                                                              |
| 2    | wrong usage, unreadable input, or the service cannot be reached                   |
| 3    | FAIL: the files are intact, but the sender is not confirmed                       |
| 4    | the service refused the call: not allowed, not found, rate limited or unavailable |
`

/** The help of one command. */
export interface HelpPage {
  /** `verify`, `admin signing-key`. */
  readonly command: string
  readonly text: string
}

export async function helpPages(): Promise<readonly HelpPage[]> {
  const pages = await Promise.all([pagesOf('', COMMANDS), pagesOf('admin ', ADMIN_COMMANDS)])
  return pages.flat()
}

const pagesOf = (prefix: string, table: CommandTable): Promise<readonly HelpPage[]> =>
  Promise.all(
    Object.entries(table).map(async ([name, [, load]]) => {
      let text = ''
      const output = { write: (part: string | Uint8Array) => (text += String(part)) }
      await (await load()).run(['--help'], { env: {}, stdout: output, stderr: output })
      return { command: `${prefix}${name}`, text }
    }),
  )

export const cliReference = async (): Promise<string> =>
  [INTRODUCTION, ...(await helpPages()).map(section)].join('\n')

function section({ command, text }: HelpPage): string {
  const [usage = '', ...paragraphs] = text.trimEnd().split('\n\n')
  const calls = usage
    .replace(/^usage: +/, '')
    .replaceAll(/ \[--(?:url URL|json|data DIR)\]/g, '')
    .replaceAll(/^ {7}(?=kitseal)|^ +$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
  const about = ABOUT[command] ?? firstSentence(paragraphs.find((each) => /^["A-Z]/.test(each)) ?? '')
  const unnamed = Array.from(text.matchAll(OPTION), ([, label = '', name = '']) => ({ label, name }))
    .filter(({ name }) => !COMMON.has(name) && !calls.includes(name))
    .map(({ label }) => `       [${label}]`)
  const lines = command === 'serve' ? [calls.trimEnd()] : [calls.trimEnd(), ...unnamed]
  const block = lines.join('') === `kitseal ${command}` ? [] : [`\`\`\`text\n${lines.join('\n')}\n\`\`\``]
  return `${[`## kitseal ${command}`, about, ...block].filter((part) => part !== '').join('\n\n')}\n`
}

const OPTION = /^ {2}((--[a-z0-9-]+)(?: [A-Z'on][^ ]*)?) {2}/gm
const COMMON: ReadonlySet<string> = new Set(['--url', '--json', '--data'])

const ABOUT: Readonly<Record<string, string>> = {
  serve: 'Runs the service until it is stopped. Every [setting](settings.md) is an option.',
  admin: 'The commands for operators are below. The service may be running.',
}

const firstSentence = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/(?<=[^.]\.) .*/, '')
    .replace(/(?<=.{40}): .*/, '.')

if (import.meta.main) writeFileSync(REFERENCE, await cliReference())

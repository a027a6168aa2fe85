import { writeFileSync } from 'node:fs'
import { type HelpPage, helpPages } from './src/help-pages.ts'
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

/** `node cli/make-reference.ts` writes docs/reference/cli.md from the help of the commands. */
export async function cliReference(): Promise<string> {
  const pages = await helpPages(COMMANDS)
  const explained = new Set<string>()
  return [INTRODUCTION, ...pages.map((page) => section(page, explained))].join('\n')
}

function section({ command, text }: HelpPage, explained: Set<string>): string {
  const [usage = '', ...paragraphs] = text.trimEnd().split('\n\n')
  const calls = usage
    .replace(/^usage: +/, '')
    .replaceAll(/ \[--(?:url URL|json|data DIR)\]/g, '')
    .replaceAll(/^ {7}(?=kitseal)|^ +$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
  const about =
    ABOUT[command] ??
    firstSentence(paragraphs.find((paragraph) => /^["A-Z]/.test(paragraph)) ?? '').replace(
      /(?<=.{40}): .*/,
      '.',
    )
  const listed = command === 'serve' ? [] : items(calls, paragraphs.join('\n'), explained)
  const block = ['```text', calls.trimEnd(), ...listed, '```'].join('\n')
  return [`## kitseal ${command}`, about, calls === `kitseal ${command}` ? '' : block]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

const ABOUT: Readonly<Record<string, string>> = {
  serve: 'Runs the service until it is stopped. Every [setting](settings.md) is an option.',
  admin: 'The commands for operators are below. The service may be running.',
  'admin status': 'Shows what operators see in the console.',
}
const COMMON = /^--(?:url|json|data|help)\b/
const ITEM =
  /^ {2}((?:-\w, )?--[a-z0-9-]+(?: (?:'[^']*'|(?:[A-Z][A-Z_=|,]*|on)(?:\|[a-z]+)?(?=\s)))?)\s+(\S.*(?:\n {8,}.*)*)/gm
/** Options whose name does not say what they do. */
const UNCLEAR = /^--(?:accept|confirm|cadence|use-kit-keys|receipts|state|mirror|public-kits)\b/

/** What the usage does not name, and options whose name does not say enough. Those that were explained before are named only. */
function items(usage: string, text: string, explained: Set<string>): readonly string[] {
  const found = Array.from(
    text.replace(/^examples?:[^]*/m, '').matchAll(ITEM),
    ([, name = '', about = '']) => ({ name, about, inUsage: usage.includes(name.replace(/,? .*/, '')) }),
  ).filter(({ name, inUsage }) => !COMMON.test(name) && (UNCLEAR.test(name) || !inUsage))
  const again = found.filter(({ name, inUsage }) => !inUsage && explained.has(name)).map(({ name }) => name)
  const lines = found
    .filter(({ name }) => !explained.has(name))
    .map(({ name, about }) => `  ${name.padEnd(20)}  ${inFewWords(about)}`)
  for (const { name } of found) explained.add(name)
  return again.length === 0 ? lines : [...lines, `  ${again.join(', ')}  as above`]
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const firstSentence = (text: string): string => oneLine(text).replace(/(?<=[^.]\.) .*/, '')
const inFewWords = (text: string): string =>
  firstSentence(text.replace(/:\n[^]*/, ''))
    .replace(/;.*|, such as.*|\(repeatable\)$|\.$/, '')
    .replaceAll(/ \(default[^)]*\)| \([^)]*$/g, '')
    .replace(/: (?=[^(]{60}).*/, '')
    .trim()

if (import.meta.main) writeFileSync(REFERENCE, await cliReference())

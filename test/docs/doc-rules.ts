// Rules for the docs as functions of their texts, so tests can also run them on samples.
import path from 'node:path'
import { anchorsOf, linksOf } from './markdown.ts'

export type Pages = Readonly<Record<string, string>>

/** `exists` takes a path relative to the root. */
export function brokenLinks(pages: Pages, exists: (file: string) => boolean): readonly string[] {
  return Object.entries(pages).flatMap(([page, text]) =>
    linksOf(text)
      .filter((link) => !/^[a-z]+:/.test(link))
      .flatMap((link) => {
        const [file = '', anchor] = link.split('#')
        const to = file === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(file))
        if (!exists(to)) return [`${page}: ${link}: the file does not exist`]
        if (anchor === undefined || !(to in pages)) return []
        return anchorsOf(pages[to] ?? '').includes(anchor)
          ? []
          : [`${page}: ${link}: the heading does not exist`]
      }),
  )
}

// Spelled so that this file does not match its own patterns.
const FOREIGN = [
  { what: 'a path of one machine', pattern: /(?<![\w.~}])\/(?:work|root|home|Users)\/\w/ },
  {
    what: 'a package registry',
    pattern: /\bregistry\.[a-z]+\w*\.\w+|\bnpmjs\.(?:org|com)/i,
  },
]

export function foreignNames(texts: Pages): readonly string[] {
  return Object.entries(texts).flatMap(([file, text]) =>
    FOREIGN.flatMap(({ what, pattern }) => {
      const found = pattern.exec(text)
      return found === null ? [] : [`${file} names ${what}: ${found[0]}…`]
    }),
  )
}

export const foldersWithoutRow = (readme: string, folders: readonly string[]): readonly string[] =>
  folders.filter((folder) => !new RegExp(`^\\|\\s*\\[?\`${folder}/?\``, 'm').test(readme))

export function unheldDecisions(pages: Pages, exists: (file: string) => boolean): readonly string[] {
  return decisionsIn(pages).flatMap(({ page, text }) => {
    const last =
      text
        .trim()
        .split(/\n\s*\n/)
        .at(-1) ?? ''
    const tests = last.match(/[\w./-]+\.(?:test|trial)\.ts/g) ?? []
    if (!last.startsWith('Held by') || tests.length === 0)
      return [`${page} does not end in "Held by" and the paths of its tests`]
    return tests.filter((file) => !exists(file)).map((file) => `${page}: ${file} does not exist`)
  })
}

export function twiceNumbered(pages: Pages): readonly string[] {
  const numbers = decisionsIn(pages).map(({ number }) => number)
  return numbers.filter((number, index) => numbers.indexOf(number) !== index)
}

const HALF_A_PAGE_WORDS = 300

export const longDecisions = (pages: Pages): readonly string[] =>
  decisionsIn(pages)
    .map(({ page, text }) => ({ page, words: text.trim().split(/\s+/).length }))
    .filter(({ words }) => words > HALF_A_PAGE_WORDS)
    .map(({ page, words }) => `${page} has ${words} words, more than half a page (${HALF_A_PAGE_WORDS})`)

/** A decision's file name is its title, and the index lists it once under that title. */
export function misnamedDecisions(pages: Pages): readonly string[] {
  const index = pages['docs/decisions/README.md'] ?? ''
  return decisionsIn(pages).flatMap(({ page, number, text }) => {
    const title = /^# \d{4} (.+)$/m.exec(text)?.[1] ?? ''
    const slug = title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
    const file = `${number}-${slug}.md`
    if (!text.startsWith(`# ${number} `) || !page.endsWith(`/${file}`))
      return [`${page}: the file name and the title "# ${number} …" differ`]
    return index.split(`- [${number}](${file}) ${title}\n`).length === 2
      ? []
      : [`${page}: docs/decisions/README.md does not list it once, with its title`]
  })
}

/** Decisions that no source file refers to as `docs/decisions/NNNN`, and references to decisions that do not exist. */
export function unlinkedDecisions(pages: Pages, sources: Pages): readonly string[] {
  const known = new Set(decisionsIn(pages).map(({ number }) => number))
  const linked = Object.entries(sources).flatMap(([file, text]) =>
    Array.from(text.matchAll(/docs\/decisions\/(\d{4})/g), ([, number = '']) => ({ file, number })),
  )
  return [
    ...[...known]
      .filter((number) => !linked.some((link) => link.number === number))
      .map((number) => `no source file refers to docs/decisions/${number}`),
    ...linked
      .filter(({ number }) => !known.has(number))
      .map(({ file, number }) => `${file}: there is no decision ${number}`),
  ]
}

const decisionsIn = (pages: Pages): readonly { page: string; number: string; text: string }[] =>
  Object.entries(pages).flatMap(([page, text]) => {
    const number = /^docs\/decisions\/(\d{4})-/.exec(page)?.[1]
    return number === undefined ? [] : [{ page, number, text }]
  })

/** `name/ 1.2k` in the diagram of ARCHITECTURE.md: rooms whose weight is off by more than a fifth, or that are missing. */
export function wrongWeights(diagram: string, lines: Readonly<Record<string, number>>): readonly string[] {
  const stated = new Map(
    Array.from(diagram.matchAll(/(\w+)\/ (\d+\.\d)k/g), ([, room = '', weight]) => [
      room,
      Number(weight) * 1000,
    ]),
  )
  return Object.entries(lines).flatMap(([room, real]) => {
    const said = stated.get(room)
    return said !== undefined && Math.abs(said - real) <= Math.max(real / 5, 100)
      ? []
      : [`${room}/ has ${(real / 1000).toFixed(1)}k lines, ARCHITECTURE.md says ${said ?? 'nothing'}`]
  })
}

/** Words of headings, prose, lists and tables. Code blocks are read as code. */
export const countWords = (text: string): number =>
  text
    .replaceAll(/^ *```[^]*?^ *```$/gm, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length

const CODE = /^ *```(?:sh|console|yaml|)\n[^]*?^ *```|`[^`\n]+`/gm
const COMMAND = /(?<=^ *|[`$] |`|&& |\|\| |run: )(?:npx )?kitseal ((?:admin )?[a-z][a-z-]*)([^`\n]*)/gm
const COMMON_OPTIONS = new Set(['--url', '--json', '--data', '--help'])

/** Commands and options in the code of pages that the reference of the command line does not have. */
export function unknownCommands(pages: Pages, reference: string): readonly string[] {
  const usages = new Map(reference.split(/^## kitseal /m).map((part) => [part.split('\n')[0] ?? '', part]))
  return Object.entries(pages).flatMap(([page, text]) =>
    Array.from(text.replaceAll(/\\\n */g, ' ').matchAll(CODE), ([code]) => code).flatMap((code) =>
      Array.from(code.matchAll(COMMAND)).flatMap(([all, name = '', rest = '']) => {
        // Signed statements begin with a text such as `kitseal erasure v1`.
        if (/ v\d/.test(rest)) return []
        const usage = usages.get(name)
        if (usage === undefined) return [`${page}: ${all}: there is no such command`]
        // What follows belongs to other programs.
        const own = rest.split(/ -- | [|&;>#]/)[0] ?? ''
        const words = own.match(/(?<=^ )[a-z][a-z-]+(?= |$)|--[a-z][a-z-]*/g) ?? []
        const hasCommands = new RegExp(`kitseal ${name} [a-z]`).test(usage)
        return words
          .filter((word) => !COMMON_OPTIONS.has(word) && (hasCommands || word.startsWith('--')))
          .filter((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(usage))
          .map((word) => `${page}: ${all}: ${word} is not in the usage of kitseal ${name}`)
      }),
    ),
  )
}

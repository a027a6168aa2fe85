// What must hold for the pages, as functions of their texts, so that samples can be held against them too.
import path from 'node:path'
import { anchorsOf, linksOf } from './markdown.ts'

export type Pages = Readonly<Record<string, string>>

/** `exists` answers for any path below the root. */
export function brokenLinks(pages: Pages, exists: (file: string) => boolean): readonly string[] {
  return Object.entries(pages).flatMap(([page, text]) =>
    linksOf(text)
      .filter((link) => !/^[a-z]+:/.test(link))
      .flatMap((link) => {
        const [file = '', anchor] = link.split('#')
        const to = file === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(file))
        if (!exists(to)) return [`${page}: ${link} leads to no file`]
        if (anchor === undefined || !(to in pages)) return []
        return anchorsOf(pages[to] ?? '').includes(anchor) ? [] : [`${page}: ${link} leads to no heading`]
      }),
  )
}

// Written so that this file does not hold what it looks for.
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
  return Object.entries(pages)
    .filter(([page]) => /^docs\/decisions\/\d{4}-/.test(page))
    .filter(([, text]) => {
      const paragraphs = text.trim().split(/\n\s*\n/)
      const last = paragraphs.at(-1) ?? ''
      const tests = last.match(/[\w./-]+\.test\.ts/g) ?? []
      return (
        !/^(#+ |\*\*)?Held by/.test(last) ||
        tests.length === 0 ||
        !tests.every((file) => exists(fromRoot(file)))
      )
    })
    .map(
      ([page]) =>
        `${page} does not end in "Held by" and test files that exist, each by its path from the root`,
    )
}

/** A decision may name its test from the root or relative to itself. */
const fromRoot = (file: string): string => file.replace(/^(\.\.\/)+/, '')

export function twiceNumbered(pages: Pages): readonly string[] {
  const numbers = Object.keys(pages).flatMap((page) => /^docs\/decisions\/(\d{4})-/.exec(page)?.[1] ?? [])
  return numbers.filter((number, index) => numbers.indexOf(number) !== index)
}

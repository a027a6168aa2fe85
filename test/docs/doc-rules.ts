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
  {
    // No registry has one, so whoever publishes that name first would run code on the machines of readers.
    what: 'a package of the project as if a registry had it',
    pattern:
      /\b(?:npm (?:i|install|add|exec|x)|(?:pnpm|yarn|bun|uv|brew)(?: \w+)+|bunx|pip3? install|pipx? (?:install|run)|uvx)[^\S\n](?:[^\n&|;]*[ "'])?(?:@kitseal\/[\w-]+|kitseal(?:-[a-z]+)?)(?=["'@=~<>\s`]|$)|\bnpx\s+(?:-\S+\s+)+kitseal\b|\bnpx\s+kitseal@|\buses:\s*kitseal\//m,
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

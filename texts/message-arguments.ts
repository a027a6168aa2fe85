// `node texts/message-arguments.ts` writes the types of the arguments of the English messages. A test checks that they are up to date.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Part, parseMessage } from '../kit/src/texts/message.ts'

const root = path.dirname(import.meta.dirname)
export const ARGUMENTS = path.join(root, 'kit/src/texts/arguments.generated.ts')

const TYPES: Readonly<Record<string, string>> = {
  number: 'number',
  plural: 'number',
  date: 'Date | string',
  select: 'string | boolean',
}

/** The arguments of a message, with their types. */
export function argumentsOf(parts: readonly Part[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const part of parts) {
    if (typeof part !== 'object') continue
    const { name, format = '', cases } = part
    if (format !== '' || !found.has(name)) found.set(name, TYPES[format] ?? 'Value')
    for (const inner of cases.values())
      for (const [other, type] of argumentsOf(inner))
        if (type !== 'Value' || !found.has(other)) found.set(other, type)
  }
  return found
}

/** The messages of a language, by page. */
export const pagesOf = (language: string): ReadonlyMap<string, Readonly<Record<string, string>>> =>
  new Map(
    globSync(`texts/${language}/*.json`, { cwd: root })
      .toSorted()
      .map((file) => [path.basename(file, '.json'), JSON.parse(readFileSync(path.join(root, file), 'utf8'))]),
  )

export function messageArguments(): string {
  const english = pagesOf('en')
  const lines = [...english.values()].flatMap((messages) =>
    Object.entries(messages).flatMap(([key, text]) => {
      const types = [...argumentsOf(parseMessage(text))].map(([name, type]) => `${name}: ${type}`)
      return types.length === 0 ? [] : [`  '${key}': { ${types.join('; ')} }`]
    }),
  )
  return [
    '// Generated from texts/en by texts/message-arguments.ts.',
    "import type { Value } from './message.ts'",
    '',
    'export interface MessageArguments {',
    ...lines,
    '}',
    '',
    '/** Here, because the published types of kit cannot import JSON. */',
    'export type VerifierKey =',
    ...Object.keys(english.get('verifier') ?? {}).map((key) => `  | '${key}'`),
    '',
  ].join('\n')
}

/** Pages that programs outside the web write in every language. */
const IN_ALL_LANGUAGES = ['binder', 'findings', 'mail', 'verifier']

const name = (language: string): string => language.replaceAll(/\W/g, '')

/** Modules of these pages in all languages, by file. */
export const allLanguages = (): readonly (readonly [file: string, code: string])[] =>
  IN_ALL_LANGUAGES.map((page) => {
    const languages = globSync(`texts/*/${page}.json`, { cwd: root })
      .map((file) => path.basename(path.dirname(file)))
      .toSorted()
    return [
      path.join(root, `texts/${page}.generated.ts`),
      [
        '// Generated from texts/ by texts/message-arguments.ts.',
        ...languages.map(
          (language) => `import ${name(language)} from './${language}/${page}.json' with { type: 'json' }`,
        ),
        '',
        'const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = {',
        ...languages.map((language) => `  '${language}': ${name(language)},`),
        '}',
        '',
        'export default messages',
        '',
        `export type ${page.replace(/^./, (letter) => letter.toUpperCase())}Key = keyof typeof en`,
        '',
      ].join('\n'),
    ] as const
  })

if (import.meta.main) {
  writeFileSync(ARGUMENTS, messageArguments())
  for (const [file, code] of allLanguages()) writeFileSync(file, code)
}

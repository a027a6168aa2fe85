import { readFileSync } from 'node:fs'
import path from 'node:path'

/** An exported function or class and its `@example`, undefined if it has none. */
export interface Example {
  readonly name: string
  /** The module that defines it. */
  readonly module: string
  readonly code: string | undefined
}

/** The example of each function and class that an index file exports. */
export function findExamples(index: string): readonly Example[] {
  return exportsOf(readFileSync(index, 'utf8')).flatMap(({ name, from }) => {
    const module = path.join(path.dirname(index), from)
    const source = readFileSync(module, 'utf8')
    const definition = new RegExp(
      String.raw`(${DOC_COMMENT}\n)?export (?:(?:async )?function\*?|class) ${name}\b`,
    )
    const match = definition.exec(source)
    return match === null ? [] : [{ name, module, code: codeOf(match[1] ?? '') }]
  })
}

/** The TypeScript blocks of a README. */
export function findReadmeExamples(readme: string): readonly Example[] {
  const blocks = [...readFileSync(readme, 'utf8').matchAll(/^```ts\n([^]*?)^```/gm)]
  return blocks.map(([, code], at) => ({ name: `README-${at + 1}`, module: readme, code }))
}

/** All TypeScript of a page, top to bottom, as one module. */
export function codeOfPage(text: string): string | undefined {
  const blocks = [...text.matchAll(/^( *)```ts\n([^]*?)^ *```/gm)].map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
  return blocks.length === 0 ? undefined : [...blocks, 'export {}\n'].join('\n')
}

/** Fences under other names than `ts`. */
export const OTHER_SCRIPT = /^ *```(js|javascript|mjs|typescript|tsx|jsx)\b/m

const DOC_COMMENT = String.raw`\/\*\*(?:(?!\*\/)[^])*\*\/`

function exportsOf(index: string): readonly { readonly name: string; readonly from: string }[] {
  return [...index.matchAll(/export \{([^}]*)\} from '(\.[^']+)'/g)].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ name, from })),
  )
}

function codeOf(comment: string): string | undefined {
  const text = comment.replaceAll(/^ \* ?/gm, '')
  return /@example\n```ts\n([^]*?)```/.exec(text)?.[1]
}

// What a file may contain and be called.
import type { SourceFile } from './project.ts'
import type { Rule } from './rule.ts'

const LONGEST_FILE_LINES = 350

export const styleRules: readonly Rule[] = [
  {
    name: 'no enums',
    why: 'Node runs the sources by erasing types, and an enum cannot be erased; a closed union says the same',
    violations: eachFile(
      (file) => /\benum\s+\w+\s*\{/.test(file.code),
      () => 'declares an enum',
    ),
    sample: { 'kit/src/state.ts': 'export enum State { Draft }' },
  },
  {
    name: 'no any, and no silenced compiler',
    why: 'each hole in the types is a place where unchecked input can pass for checked',
    violations: eachFile(
      (file) => /(:|\bas|<|\|)\s*any\b|\bany\[\]/.test(file.code) || SILENCED.test(file.text),
      () => 'uses any or silences the compiler',
    ),
    sample: {
      'kit/src/a.ts': 'export const f = (x: any) => x',
      'kit/src/b.ts': 'export const g = x as any',
      'kit/src/c.ts': `// @ts-${'ignore'}\nexport const h = 1`,
    },
  },
  {
    name: 'a file is named after what it does',
    why: 'a file called utils has no reason to end: the path must say what is inside',
    violations: eachFile(
      (file) => /(^|[/.-])(utils?|helpers?|commons?|managers?)(?=[/.-])/i.test(file.path),
      () => 'has a name that says nothing',
    ),
    sample: { 'server/src/utils.ts': '', 'server/src/key-manager.ts': '', 'cli/src/helpers/print.ts': '' },
  },
  {
    name: `no file is longer than ${LONGEST_FILE_LINES} lines`,
    why: 'one concept, one file, one name: a reviewer can hold it in mind',
    violations: eachFile(
      (file) => !file.isTest && !isGenerated(file) && lineCount(file) > LONGEST_FILE_LINES,
      (file) => `has ${lineCount(file)} lines`,
    ),
    sample: { 'server/src/app.ts': 'export {}\n'.repeat(LONGEST_FILE_LINES + 1) },
  },
  {
    name: 'only the entry points end the process',
    why: 'process.exit below them cuts off uploads, commits and output that others still hold',
    violations: eachFile(
      (file) => !isEntryPoint(file) && /\bprocess\.exit\s*\(/.test(file.code),
      () => 'calls process.exit',
    ),
    sample: { 'server/src/app.ts': 'process.exit(1)' },
  },
  {
    name: 'only the entry points read the environment',
    why: 'configuration is read once, in one place, so that every problem is reported at once and tests need no environment',
    violations: eachFile(
      (file) => !isEntryPoint(file) && /\bprocess\.env\b/.test(file.code),
      () => 'reads process.env',
    ),
    sample: { 'server/src/config.ts': 'const port = process.env.KITSEAL_PORT' },
  },
]

const SILENCED = /@ts-(ignore|nocheck)/

function eachFile(
  isBad: (file: SourceFile) => boolean,
  says: (file: SourceFile) => string,
): Rule['violations'] {
  return ({ sources }) => sources.filter(isBad).map((file) => `${file.path} ${says(file)}`)
}

const isGenerated = (file: SourceFile): boolean => file.path.endsWith('.generated.ts')
const lineCount = (file: SourceFile): number => file.text.trimEnd().split('\n').length

const isEntryPoint = (file: SourceFile): boolean =>
  file.isTest ||
  /^(scripts|bench|trials|cli\/bin)\//.test(file.path) ||
  /^(cli|server)\/src\/main\.ts$/.test(file.path)

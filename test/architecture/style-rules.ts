// Rules about the names and contents of files.
import type { SourceFile } from './project.ts'
import type { Rule } from './rule.ts'
import { PACKAGES } from '../kit/needs.ts'

const LONGEST_FILE_LINES = 600

export const styleRules: readonly Rule[] = [
  {
    name: 'no enums',
    why: 'Node runs the sources by erasing types, which does not work for enums; use a union type',
    violations: eachFile(
      (file) => /\benum\s+\w+\s*\{/.test(file.code),
      () => 'declares an enum',
    ),
    sample: { 'kit/src/state.ts': 'export enum State { Draft }' },
  },
  {
    name: 'no any and no compiler suppressions',
    why: 'unchecked input could pass as checked',
    violations: eachFile(
      (file) => /(:|\bas|<|\|)\s*any\b|\bany\[\]/.test(file.code) || SUPPRESSED.test(file.text),
      () => 'uses any or suppresses compiler errors',
    ),
    sample: {
      'kit/src/a.ts': 'export const f = (x: any) => x',
      'kit/src/b.ts': 'export const g = x as any',
      'kit/src/c.ts': `// @ts-${'ignore'}\nexport const h = 1`,
    },
  },
  {
    name: 'a file is named after what it does',
    why: 'the path must say what a file contains, and a file called utils never stops growing',
    violations: eachFile(
      (file) => /(^|[/.-])(utils?|helpers?|commons?|managers?)(?=[/.-])/i.test(file.path),
      () => 'has a name that does not say what it contains',
    ),
    sample: { 'server/src/utils.ts': '', 'server/src/key-manager.ts': '', 'cli/src/helpers/print.ts': '' },
  },
  {
    name: `no file is longer than ${LONGEST_FILE_LINES} lines`,
    why: 'a file with one concept can be reviewed as a whole',
    violations: eachFile(
      (file) => !file.isTest && !isGenerated(file) && lineCount(file) > LONGEST_FILE_LINES,
      (file) => `has ${lineCount(file)} lines`,
    ),
    sample: { 'server/src/app.ts': 'export {}\n'.repeat(LONGEST_FILE_LINES + 1) },
  },
  {
    name: 'only entry points call process.exit',
    why: 'elsewhere it would interrupt uploads, commits and output',
    violations: eachFile(
      (file) => !isEntryPoint(file) && /\bprocess\.exit\s*\(/.test(file.code),
      () => 'calls process.exit',
    ),
    sample: { 'server/src/app.ts': 'process.exit(1)' },
  },
  {
    name: 'only entry points read the environment',
    why: 'configuration is read in one place, so that all problems are reported together and tests need no environment',
    violations: eachFile(
      (file) => !isEntryPoint(file) && /\bprocess\.env\b/.test(file.code),
      () => 'reads process.env',
    ),
    sample: { 'server/src/settings/config.ts': 'const port = process.env.KITSEAL_PORT' },
  },
  {
    name: 'only kit/node/platform.ts asks for the operating system',
    why: 'what differs between systems is in one file, where tests can take the place of each system',
    violations: eachFile(
      (file) =>
        /^(kit|client|examiner|binder|server|cli)\//.test(file.path) &&
        !isOfSystem(file) &&
        SYSTEM.test(file.text),
      () => 'asks for the operating system, reads /proc or the mode of a file',
    ),
    sample: {
      'server/src/a.ts': "export const isMac = process.platform === 'darwin'",
      'kit/node/b.ts': "readFileSync('/proc/self/status')",
      'cli/src/c.ts': 'export const isOpen = (mode: number) => (mode & 0o077) !== 0',
    },
  },
  {
    name: 'a test that starts a program that a machine need not have asks for it',
    why: 'elsewhere it would fail instead of being skipped with the package that it needs',
    violations: eachFile(
      (file) => file.path.endsWith('.test.ts') && STARTS.test(file.text) && !file.code.includes('needs('),
      () => 'starts a program of test/kit/needs.ts without needs()',
    ),
    sample: { 'kit/src/a.test.ts': "execFileSync('qpdf', ['--check', 'a.pdf'])" },
  },
]

/** Python is promised to be there. */
const OPTIONAL = Object.keys(PACKAGES).filter((program) => program !== 'python3')
const STARTS = new RegExp(`\\b(?:spawn|exec)\\w*\\(\\s*'(?:${OPTIONAL.join('|').replaceAll('+', '\\+')})'`)
const SYSTEM = /\bprocess\.platform\b|['`]\/proc\/|\bmode & 0o0/
/** The two .cjs files run before anything else is loaded, on any Node.js. Tests and builds run on the system of a developer. */
const isOfSystem = (file: SourceFile): boolean =>
  file.isTest ||
  /^(kit\/node\/platform\.ts|cli\/bin\/node24\.cjs|server\/lean-process\.cjs|(cli|server|client)\/test\/|cli\/build)/.test(
    file.path,
  )

const SUPPRESSED = /@ts-(ignore|nocheck)/

function eachFile(
  isBad: (file: SourceFile) => boolean,
  describe: (file: SourceFile) => string,
): Rule['violations'] {
  return ({ sources }) => sources.filter(isBad).map((file) => `${file.path} ${describe(file)}`)
}

const isGenerated = (file: SourceFile): boolean => file.path.endsWith('.generated.ts')
const lineCount = (file: SourceFile): number => file.text.trimEnd().split('\n').length

const isEntryPoint = (file: SourceFile): boolean =>
  file.isTest ||
  /^(scripts|bench|cli\/bin)\//.test(file.path) ||
  /^(cli|server)\/src\/main\.ts$/.test(file.path)

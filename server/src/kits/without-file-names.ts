import { ERROR_CODES, type ErrorCode, type VerificationReport } from '@kitseal/kit'

/** Errors whose text names files of the kit. */
const NAME_FILES: ReadonlySet<string> = new Set<ErrorCode>([
  'kit_unreadable',
  'artifact_missing',
  'artifact_hash_mismatch',
  'artifact_size_mismatch',
  'artifact_unlisted',
  'manifest_malformed',
])

/** For a caller who has the receipt but may not see the manifest: what failed, without the names of files. */
export function withoutFileNames(report: VerificationReport): VerificationReport {
  const named = report.errors.map(parse).filter(({ code }) => NAME_FILES.has(code))
  if (named.length === 0) return report
  const checks = report.checks.map((check) => {
    const found = named.find(({ text }) => check.result === 'fail' && check.why?.startsWith(text) === true)
    return found === undefined ? check : { ...check, why: describe(found) }
  })
  const errors = report.errors.map((error) => {
    const parsed = parse(error)
    return NAME_FILES.has(parsed.code) ? `${parsed.code}: ${describe(parsed)}` : error
  })
  return { ...report, errors: [...new Set(errors)], checks }
}

interface ParsedError {
  readonly code: string
  readonly text: string
}

function parse(error: string): ParsedError {
  const code = error.split(':', 1)[0] ?? ''
  return { code, text: error.slice(code.length + 2) }
}

const describe = ({ code }: ParsedError): string => ERROR_CODES[code as ErrorCode]

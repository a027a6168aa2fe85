import {
  isJsonObject,
  type JsonValue,
  type Parsed,
  parseStatedProvenance,
  pathProblem,
  provenanceEnd,
  type StatedProvenance,
  type SubmissionProvenance,
} from '@kitseal/kit/internal'

const MAX_FILES = 1000

/** Parses the `provenance` of a submission. Reports all problems. */
export function parseSubmissionProvenance(value: JsonValue): Parsed<SubmissionProvenance> {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'files')) return parseStatedProvenance(value)
  const { files = null, ...rest } = value
  const paths = isJsonObject(files) ? Object.entries(files) : []
  if (paths.length === 0 || paths.length > MAX_FILES)
    return { ok: false, problems: [`files must be an object of 1 to ${MAX_FILES} paths`] }
  const problems = [
    ...(Object.keys(rest).length === 0 ? [] : problemsOf(rest)),
    ...paths.flatMap(([path, stated]) => {
      const wrong = pathProblem(`data/${path}`)
      const all = wrong === undefined ? problemsOf(stated) : [wrong]
      return all.map((problem) => `files[${JSON.stringify(path)}]: ${problem}`)
    }),
  ]
  return problems.length === 0
    ? { ok: true, value: value as SubmissionProvenance }
    : { ok: false, problems: problems.slice(0, 20) }
}

function problemsOf(value: JsonValue): readonly string[] {
  const parsed = parseStatedProvenance(value)
  return parsed.ok ? [] : parsed.problems
}

/**
 * What is stated about a file, by its path without `data/`. Its own statement replaces that of the submission.
 */
export function statedFor(
  { files = {}, ...all }: SubmissionProvenance,
  path: string,
): StatedProvenance | undefined {
  if (Object.hasOwn(files, path)) return files[path]
  return Object.keys(all).length === 0 ? undefined : all
}

/**
 * The day that evidence is from, in UTC: when it was collected, or the end of its period if that is earlier.
 */
export function provenanceDate({ collected_at, period }: StatedProvenance): string | undefined {
  const ends = [collected_at, period?.to].flatMap((text) => (text === undefined ? [] : [provenanceEnd(text)]))
  return ends.length === 0 ? undefined : new Date(Math.min(...ends)).toISOString().slice(0, 10)
}

/** Content codings that the service has, the preferred one first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/**
 * The coding that an `Accept-Encoding` header prefers (RFC 9110, section 12.5.3). Undefined means no coding, also if the
 * header rejects that and accepts none of `available`.
 */
export function preferredCoding(
  header: string | undefined,
  available: readonly Coding[] = CODINGS,
): Coding | undefined {
  if (header === undefined) return undefined
  const weights = weightsOf(header)
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  const [best] = available.toSorted((a, b) => weightOf(b) - weightOf(a))
  if (best === undefined || weightOf(best) === 0) return undefined
  return (weights.get('identity') ?? 0) > weightOf(best) ? undefined : best
}

/** Malformed entries are left out. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const entry of header.toLowerCase().split(',')) {
    const [name = '', weight = 'q=1'] = entry.split(';').map((part) => part.trim())
    const q = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(weight)?.[1]
    if (q !== undefined) weights.set(name, Number(q))
  }
  return weights
}

import { canonicalJson } from './encoding/canonical-json.ts'
import { hex } from './encoding/bytes.ts'
import { type Digest, merkleRoot } from './encoding/merkle.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import { RECEIPT_VERSION } from './receipt.ts'
import { isEnvelopePath } from './envelope.ts'
import {
  literal,
  identifier,
  instant,
  type Parsed,
  parseObject,
  type Rule,
  sha256Text,
  nonEmptyString,
} from './parsing.ts'
import { comparePaths, pathCollisions, pathProblem } from './paths.ts'
import { textOf } from './texts/english.ts'

export type Artifact = {
  readonly path: string
  readonly sha256: string
  readonly size_bytes: number
}

export type Manifest = {
  readonly receipt_version: string
  readonly kit_id: string
  readonly job_id: string
  readonly issued_at: string
  readonly artifacts: readonly Artifact[]
  readonly manifest_sha256: string
  readonly boundary: string
}

/**
 * Parses a manifest. Unknown, missing or mistyped members, forbidden paths and unsorted lists are rejected.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parseManifest, parseStrictJson } from '@kitseal/kit'
 * import { openKit } from '@kitseal/kit/node'
 *
 * using kit = await openKit('kit.zip')
 * const manifest = parseManifest(parseStrictJson(await kit.read('manifest.json', 64_000_000)))
 * assert.ok(manifest.ok)
 * assert.ok(manifest.value.artifacts.some(({ path }) => path === 'data/users.csv'))
 * ```
 */
export function parseManifest(value: JsonValue): Parsed<Manifest> {
  const parsed = parseObject<Manifest>('the manifest', value, MANIFEST_RULES)
  const problems = parsed.ok ? artifactProblems(parsed.value.artifacts) : parsed.problems
  return parsed.ok && problems.length === 0
    ? parsed
    : { ok: false, problems: problems.slice(0, MAX_PROBLEMS) }
}

/** The SHA-256 of the canonical manifest without `manifest_sha256`, in hex. */
export function manifestSha256(manifest: Omit<Manifest, 'manifest_sha256'>, digest: Digest): string {
  const { manifest_sha256: _, ...rest } = manifest as Manifest
  return hex(digest(canonicalJson(rest)))
}

/** The Merkle root hash of the artifacts (RFC 6962), in hex. */
export function manifestRootHash(artifacts: readonly Artifact[], digest: Digest): string {
  return hex(merkleRoot(artifactLeaves(artifacts, digest), digest))
}

export function artifactLeaves(artifacts: readonly Artifact[], digest: Digest): readonly Uint8Array[] {
  return artifacts.map((artifact) => artifactLeaf(artifact, digest))
}

/** The hash of the canonical form of an artifact, as a leaf of the tree. */
export function artifactLeaf({ path, sha256, size_bytes }: Artifact, digest: Digest): Uint8Array {
  return digest(`\0{"path":${canonicalJson(path)},"sha256":"${sha256}","size_bytes":${size_bytes}}`)
}

const isSize: Rule = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : 'must be a size in bytes'

const ARTIFACT_RULES = { path: nonEmptyString, sha256: sha256Text, size_bytes: isSize }

const MANIFEST_RULES: Readonly<Record<keyof Manifest, Rule>> = {
  receipt_version: literal(RECEIPT_VERSION),
  kit_id: identifier,
  job_id: identifier,
  issued_at: instant,
  artifacts: (value) =>
    Array.isArray(value) && value.length > 0 ? undefined : 'must be a non-empty list of artifacts',
  manifest_sha256: sha256Text,
  boundary: nonEmptyString,
}

const MAX_PROBLEMS = 20

function artifactProblems(artifacts: readonly JsonValue[]): readonly string[] {
  const problems: string[] = []
  const paths: string[] = []
  for (const [index, artifact] of artifacts.entries()) {
    const parsed = parseObject<Artifact>('it', artifact, ARTIFACT_RULES)
    if (parsed.ok) paths.push(parsed.value.path)
    else problems.push(...parsed.problems.map((problem) => `artifact ${index}: ${problem}`))
  }
  if (problems.length > 0) return problems
  let before = ''
  for (const path of paths) {
    const problem = isEnvelopePath(path) ? 'is an envelope file and cannot be listed' : pathProblem(path)
    if (problem !== undefined) problems.push(`path ${JSON.stringify(path)} ${problem}`)
    if (before !== '' && comparePaths(before, path) > 0)
      problems.push(`path ${JSON.stringify(path)} is not in sorted order`)
    before = path
  }
  const collisions = pathCollisions(paths).map((problem) => `paths ${textOf(problem)}`)
  return [...problems, ...collisions]
}

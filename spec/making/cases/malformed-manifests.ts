import type { JsonValue } from '../../../kit/src/encoding/strict-json.ts'
import { sha256 } from '../../../kit/src/crypto/sha256.ts'
import { type Manifest, manifestRootHash, manifestSha256 } from '../../../kit/src/manifest.ts'
import {
  type Case,
  json,
  NO_MANIFEST,
  sealed,
  UNREADABLE,
  fails,
  MANIFEST,
  ARTIFACTS,
  times,
} from '../case.ts'
import { draftKit, EVIDENCE, LETTER } from '../draft.ts'
import { slug } from './changed-files.ts'
import { longPath } from './valid-kits.ts'

const honest = draftKit().manifest
type Loose = Record<string, JsonValue>

/** A single manifest with the right hash for its content. */
const refused = (name: string, change: (manifest: Loose) => JsonValue): Case => {
  const { manifest_sha256: _, ...open } = honest as unknown as Loose
  const changed = change(structuredClone(open))
  const stated =
    Array.isArray(changed) || changed === null
      ? changed
      : { ...(changed as Loose), manifest_sha256: manifestSha256(changed as unknown as Manifest, sha256) }
  return { name, kind: 'manifest', expected: { accepted: false }, content: json(stated) }
}

const firstArtifact =
  (change: (artifact: Loose) => JsonValue) =>
  (manifest: Loose): Loose => {
    const [first, ...others] = manifest['artifacts'] as Loose[]
    return { ...manifest, artifacts: [change(first!), ...others] }
  }

const dropped = (object: Loose, member: string): Loose =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== member))

const WRONG: readonly (readonly [member: string, what: string, value: JsonValue])[] = [
  ['receipt_version', 'of another version', 'FES-1.1-preview'],
  ['kit_id', 'with a slash', 'kit/1'],
  ['job_id', 'that is a number', 7],
  ['issued_at', 'in local time', '2026-05-05T12:00:00.000'],
  ['issued_at', 'with an hour of 24', '2026-05-05T24:00:00.000Z'],
  ['artifacts', 'that is an object', {}],
  ['artifacts', 'that is empty', []],
  ['boundary', 'that is null', null],
]

const WRONG_ARTIFACT: readonly (readonly [member: string, what: string, value: JsonValue])[] = [
  ['path', 'that is a number', 1],
  ['sha256', 'in upper case', 'A'.repeat(64)],
  ['sha256', 'of 63 characters', 'a'.repeat(63)],
  ['size_bytes', 'that is negative', -1],
  ['size_bytes', 'that is text', '17'],
]

export const malformedManifests: readonly Case[] = [
  ...Object.keys(honest)
    .filter((member) => member !== 'manifest_sha256')
    .map((member) =>
      refused(`a-manifest-without-${slug(member)}-is-malformed`, (manifest) => dropped(manifest, member)),
    ),
  {
    name: 'a-manifest-without-manifest-sha256-is-malformed',
    kind: 'manifest',
    expected: { accepted: false },
    content: json(dropped(honest as unknown as Loose, 'manifest_sha256')),
  },
  ...WRONG.map(([member, what, value]) =>
    refused(`a-manifest-with-${slug(member)}-${slug(what)}-is-malformed`, (manifest) => ({
      ...manifest,
      [member]: value,
    })),
  ),
  ...['path', 'sha256', 'size_bytes'].map((member) =>
    refused(
      `an-artifact-without-${slug(member)}-is-malformed`,
      firstArtifact((artifact) => dropped(artifact, member)),
    ),
  ),
  ...WRONG_ARTIFACT.map(([member, what, value]) =>
    refused(
      `an-artifact-${slug(member)}-${slug(what)}-is-malformed`,
      firstArtifact((artifact) => ({ ...artifact, [member]: value })),
    ),
  ),
  refused('a-manifest-with-an-unknown-member-is-malformed', (manifest) => ({ ...manifest, note: 'x' })),
  refused(
    'an-artifact-with-an-unknown-member-is-malformed',
    firstArtifact((artifact) => ({ ...artifact, media_type: 'text/plain' })),
  ),
  refused(
    'an-artifact-that-is-a-path-alone-is-malformed',
    firstArtifact(() => 'bag-info.txt'),
  ),
  refused('a-manifest-that-is-a-list-is-malformed', (manifest) => [manifest]),
]

export const goodManifests: readonly Case[] = [
  {
    name: 'a-manifest-hashes-to-its-hash-and-root-hash',
    kind: 'manifest',
    expected: {
      accepted: true,
      manifest_sha256: honest.manifest_sha256,
      root_hash: manifestRootHash(honest.artifacts, sha256),
    },
    content: json(honest),
  },
]

const FORBIDDEN_PATHS: Readonly<Record<string, string>> = {
  'a-path-with-a-dot-segment': 'data/./a',
  'a-path-that-climbs-out': 'data/../../a',
  'a-path-that-is-absolute': '/etc/a',
  'a-path-with-an-empty-segment': 'data//a',
  'a-path-with-a-backslash': 'data\\a',
  'a-path-with-a-control-character': 'data/a\u001bb',
  'a-path-with-a-c1-control-character': 'data/a\u0085b',
  'a-path-with-a-delete-character': 'data/a\u007f',
  'a-path-with-a-line-end': 'data/a\nb',
  'a-path-that-is-not-in-nfc': 'data/e\u0301.txt',
  'a-path-with-a-new-letter-and-a-mark-that-compose': 'data/\u{105d2}\u0307.txt',
  'a-path-with-a-new-composed-letter': 'data/\u{105c9}.txt',
  'a-path-with-a-new-combining-mark': 'data/a\u1ac1.txt',
  'a-path-with-a-new-letter-of-two-cases': 'data/\ua7dc.txt',
  'a-path-with-an-unassigned-code-point': 'data/\u0378.txt',
  'a-path-with-a-noncharacter': 'data/\ufffe.txt',
  'a-path-with-a-drive-letter': 'C:/a',
  'a-path-with-a-drive-letter-inside': 'data/c:a',
  'a-path-with-a-segment-that-ends-in-a-dot': 'data/a.',
  'a-path-with-a-folder-that-ends-in-a-space': 'data/a /b',
  'a-path-with-a-device-name': 'data/NUL',
  'a-path-with-a-device-name-and-an-extension': 'data/com1.txt',
  'a-path-with-a-device-name-in-a-folder': 'data/Aux/a',
  'a-path-with-a-device-name-before-a-line-separator': 'data/con.a\u2028b',
  'a-path-with-a-superscript-device-name': 'data/LPT²',
  'a-path-with-a-segment-of-256-bytes': `data/${'a'.repeat(256)}`,
  'a-path-with-a-segment-of-86-characters-and-258-bytes': `data/${'日'.repeat(86)}`,
  'a-path-of-1025-bytes': longPath(1025),
}

/** Kits signed by the issuer, with one entry that no manifest may have. */
export const forbiddenPaths: readonly Case[] = [
  ...Object.entries(FORBIDDEN_PATHS).map(([name, path]) =>
    sealed(`${name}-fails`, { evidence: { ...EVIDENCE, [path]: 'x' } }, NO_MANIFEST),
  ),
  sealed('a-path-that-ends-in-a-slash-fails', { evidence: { ...EVIDENCE, 'data/a/': 'x' } }, UNREADABLE),
  ...['manifest.json', 'receipt.json', 'receipt.sig', 'jwks.json', 'proofs', 'proofs/other.tsr'].map((path) =>
    sealed(
      `an-artifact-under-the-envelope-name-${slug(path)}-fails`,
      { evidence: { ...EVIDENCE, [path]: 'x' } },
      NO_MANIFEST,
    ),
  ),
  sealed(
    'an-artifact-in-a-folder-named-like-the-envelope-fails',
    { evidence: { ...EVIDENCE, 'Proofs/a': 'x' } },
    NO_MANIFEST,
  ),
  sealed(
    'an-artifact-under-a-case-twin-of-an-envelope-name-fails',
    { evidence: { ...EVIDENCE, 'RECEIPT.json': 'x' } },
    fails(['kit_unreadable', 'manifest_malformed'], [...MANIFEST, ...ARTIFACTS]),
  ),
  sealed(
    'a-list-out-of-order-fails',
    { listed: (list) => list.toReversed() },
    fails(times('manifest_malformed', Object.keys(honest.artifacts).length - 1), [...MANIFEST, ...ARTIFACTS]),
  ),
  sealed(
    'a-list-sorted-by-utf16-fails',
    {
      evidence: { 'data/ｚ': 'x', 'data/😀': 'y' },
      listed: (list) => list.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    },
    NO_MANIFEST,
  ),
  sealed(
    'a-path-listed-twice-fails',
    { listed: (list) => list.flatMap((a) => (a.path === LETTER ? [a, a] : [a])) },
    NO_MANIFEST,
  ),
  sealed(
    'case-twins-in-the-list-fail',
    { evidence: { 'data/A.txt': 'x', 'data/a.txt': 'x' } },
    fails(['kit_unreadable', 'manifest_malformed'], [...MANIFEST, ...ARTIFACTS]),
  ),
  sealed(
    'case-twins-beyond-ascii-in-the-list-fail',
    { evidence: { 'data/Ä': 'x', 'data/ä': 'x' } },
    fails(['kit_unreadable', 'manifest_malformed'], [...MANIFEST, ...ARTIFACTS]),
  ),
  sealed(
    'case-twins-by-their-upper-case-alone-in-the-list-fail',
    { evidence: { 'data/s': 'x', 'data/ſ': 'x' } },
    fails(['kit_unreadable', 'manifest_malformed'], [...MANIFEST, ...ARTIFACTS]),
  ),
  sealed(
    'a-file-that-is-also-a-folder-in-the-list-fails',
    { evidence: { 'data/a': 'x', 'data/a/b': 'x' } },
    fails(['kit_unreadable', 'manifest_malformed'], [...MANIFEST, ...ARTIFACTS]),
  ),
]

import { ENVELOPE_PATHS, isProofPath } from '../envelope.ts'
import { finding, type Finding } from '../errors.ts'
import type { KitFacts } from '../facts.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

export const nothingWasAdded: Check<KitFacts> = {
  check: 'nothing_was_added',
  guarantee: en.checks.nothing_was_added,
  run({ kit }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (!kit.manifest.ok) return notRun('there is no valid manifest to compare with')
    const listed = new Set(kit.manifest.value.artifacts.map(({ path }) => path))
    const added = [...kit.paths].filter((path) => !listed.has(path) && !ENVELOPE_PATHS.includes(path))
    return outcome(added.map(addedFinding))
  },
}

function addedFinding(path: string): Finding {
  return isProofPath(path)
    ? finding('proof_unknown', `${path} was added, or this kit was made by a newer version of kitseal`)
    : finding('artifact_unlisted', `${path} is not listed in the manifest`)
}

import type { Case, Cases } from './case.ts'
import { changedFiles } from './cases/changed-files.ts'
import { changedHashAndSignature, changedReceipts, remadeReceipts } from './cases/changed-receipts.ts'
import { forgedKits, oddButValid, wronglySealed } from './cases/forged-kits.ts'
import { forgedSignatures } from './cases/forged-signatures.ts'
import { badJson, goodJson } from './cases/json-documents.ts'
import { badKeySets, goodKeySets } from './cases/key-set-documents.ts'
import { disagreeingHeaders, hiddenBytes } from './cases/ambiguous-archives.ts'
import { notAsIssued } from './cases/issued-archives.ts'
import { oddStructure } from './cases/malformed-archives.ts'
import { oddEntries } from './cases/odd-entries.ts'
import {
  malformedEnvelopes,
  malformedReceipts,
  postedReceipts,
  receiptsOfOtherKits,
} from './cases/malformed-documents.ts'
import { forbiddenPaths, goodManifests, malformedManifests } from './cases/malformed-manifests.ts'
import { badLogDocuments, goodLogDocuments } from './cases/log-documents.ts'
import { loggedKits, malformedLogProofs, wronglyLogged } from './cases/logged-kits.ts'
import { badProvenance, changedProvenance, goodProvenance, kitsWithProvenance } from './cases/provenance.ts'
import { forgedProofs, goodProofs, malformedProofs } from './cases/proofs.ts'
import { otherArchives, senders } from './cases/senders.ts'
import { brokenChains, chains } from './cases/untrusted-time-stamps.ts'
import { forgedTimeStamps } from './cases/forged-time-stamps.ts'
import { badTimeStamps, goodTimeStamps } from './cases/time-stamps.ts'
import {
  compromisedKeys,
  malformedTimeStamps,
  timeStampedKits,
  wronglyTimeStamped,
} from './cases/time-stamped-kits.ts'
import { validArchives } from './cases/valid-archives.ts'
import { validKits } from './cases/valid-kits.ts'

const isPass = ({ expected }: Case): boolean => 'status' in expected && expected.status === 'PASS'

/** Every vector. A change to the format starts here. */
export const CASES: Cases = {
  valid: [
    ...validKits,
    ...oddButValid,
    ...senders.filter(isPass),
    ...validArchives,
    ...postedReceipts,
    ...goodManifests,
    ...goodKeySets,
    ...goodJson,
    ...goodProofs,
    ...loggedKits,
    ...goodLogDocuments,
    ...timeStampedKits,
    ...wronglyTimeStamped.filter(isPass),
    ...compromisedKeys.filter(isPass),
    ...goodTimeStamps,
    ...chains,
    ...goodProvenance,
    ...kitsWithProvenance,
  ],
  tampered: [
    ...changedFiles,
    ...changedReceipts,
    ...remadeReceipts,
    ...changedHashAndSignature,
    ...wronglySealed,
    ...forgedKits,
    ...senders.filter((made) => !isPass(made)),
    ...forgedSignatures,
    ...receiptsOfOtherKits,
    ...forgedProofs,
    ...wronglyLogged,
    ...wronglyTimeStamped.filter((made) => !isPass(made)),
    ...compromisedKeys.filter((made) => !isPass(made)),
    ...forgedTimeStamps,
    ...brokenChains,
    ...changedProvenance,
  ],
  malformed: [
    ...malformedReceipts,
    ...malformedEnvelopes,
    ...malformedManifests,
    ...forbiddenPaths,
    ...badKeySets,
    ...badJson,
    ...malformedProofs,
    ...malformedLogProofs,
    ...badLogDocuments,
    ...malformedTimeStamps,
    ...badTimeStamps,
    ...disagreeingHeaders,
    ...hiddenBytes,
    ...oddEntries,
    ...oddStructure,
    ...notAsIssued,
    ...otherArchives,
    ...badProvenance,
  ],
}

/** Picking, verifying and showing a kit in a browser, for this page and others: `@kitseal/kit/in-browser`. */
export { listenForDrops } from './drops.ts'
export { chosenItems, droppedItems, type PickedItems } from './picked-items.ts'
export { classifyPicked } from './picked-kit.ts'
export { type GivenKeys, keyForm } from './key-form.ts'
export { type GivenPolicy, policyForm } from './policy-form.ts'
export { type ReceiptFact, receiptFacts, receiptHashes, showResult } from './result-view.ts'
export { type SiteKeySet, siteKeySet } from './trusted-keys.ts'
export {
  canConfirmSender,
  codeOf,
  errorsOf,
  kitVerdict,
  notSignedSentence,
  otherIssuer,
  type Result,
  type Verdict,
  type VerdictWords,
} from './verdict.ts'
export { serveInWorker, supportsEd25519, verifyInWorker, type WorkerScope } from './verify-in-worker.ts'
export { type Subject, subjectBytes } from './verify-picked.ts'

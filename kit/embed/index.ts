/** How a page takes a kit from its user and verifies it, for pages other than the one in each kit: `@kitseal/kit/in-browser`. */
export { canCheckSignatures } from './can-check-signatures.ts'
export { chosenItems, droppedItems, type PickedItems } from './picked-items.ts'
export { type Pick, type PickedFile, type PickedFolder, type PickedKit, sortOut } from './picked-kit.ts'
export { type Advice, codeOf, type Verdict, verdictOf } from './verdict.ts'
export { type Order, pickedBytes, type Verified, verifyPicked } from './verify-picked.ts'

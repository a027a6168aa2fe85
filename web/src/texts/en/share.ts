import { counted } from './words.ts'

/** The page of a share. */
export const share = {
  title: 'Shared kit',
  sharedBy: (who: string) => `Shared by ${who}.`,
  verifies: 'Your browser verifies it.',
  downloadKit: (size: string) => `Download kit, ${size}`,
  aboutKit: 'About this kit',
  aboutFiles: 'About these files',
  facts: {
    issuer: 'Issuer',
    supplier: 'Supplier',
    requester: 'Requester',
    name: 'Name',
    issued: 'Issued',
    expires: 'Link expires',
    downloadsLeft: 'Visits left, this one included',
    kitId: 'Kit ID',
  },
  unknownSupplier: 'not named',
  files: (count: number) => counted(count, 'file'),
  otherFiles: (count: number) => `${counted(count, 'more file')}: manifest, receipt, binder, verifier…`,
  how: 'How this was checked',
  notYet: 'Not verified yet',
  large: 'Verifying reads all of it. Your browser needs as much free memory.',
  verifyNow: (size: string) => `Verify ${size}`,
  notVerified: 'Could not verify',
  checkingFiles: (done: number, all: number) => `Verifying ${done} of ${counted(all, 'file')}…`,
  filesVerified: (count: number) => `Verified: ${counted(count, 'file')}`,
  filesVerifiedText: (key: string) =>
    `Each file is unchanged and belongs to a kit that is signed with ${key}. The other files of the kit are not shared.`,
  erased: (day: string) => `The files were deleted on ${day}`,
  erasedText: 'The service no longer has the files of this kit. A copy that you have can still be verified.',
  exhausted: 'Ask the sender to raise the limit if you need the files again.',
  keyRevoked: (day: string) => `Signing key revoked on ${day}`,
  keyRevokedText:
    'The issuer no longer stands by signatures with this key. Ask the sender for a re-issued kit.',
  yourself: 'Check it yourself',
  yourselfKit: (keys: string) => `Download the kit and ${keys}. Then verify it without this service:`,
  yourselfFiles: (keys: string) =>
    `Download a file, its proof and ${keys}. Then verify them without this service:`,
  command: 'command',
  password: {
    title: 'Password needed',
    lead: 'The sender protected this share with a password.',
    label: 'Password',
    open: 'Open',
  },
}

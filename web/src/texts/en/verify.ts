import { counted } from './words.ts'

export const verify = {
  title: 'Verify a kit',
  lead: 'Verification runs in your browser, with the keys this site publishes for its own kits, or with keys that you give. Nothing is uploaded.',
  dropTitle: 'Drop a kit.zip, an unpacked kit folder, or a receipt.json here',
  dropHint: 'Your files stay on this computer.',
  chooseFile: 'Choose a file…',
  chooseFolder: 'Choose a folder…',
  oneAtATime: 'That is more than one receipt. Choose one kit or one receipt.json.',
  unreadable: (why: string) => `Cannot read that (${why}). Try the kit.zip instead.`,
  oldBrowser:
    'This browser does not support Ed25519 signatures, so every kit fails here. Use a current version of Chrome, Edge, Firefox or Safari, over HTTPS or on localhost.',
  keysTitle: (count: number) => `${counted(count, 'public key')} of this site`,
  keysMissing: 'Cannot verify: the public keys of this service could not be loaded.',
  working: (name: string) => `Verifying ${name}`,
  progress: (done: string, all: string) => `${done} of ${all}`,
  askIssuer: 'Do you know this address as the issuer’s? Then check it there:',
  stop: 'Stop',
  stopped: 'Stopped. Nothing was verified.',
  failed: (why: string) => `Verification did not finish, so nothing is verified: ${why}`,
  named: {
    title: 'Verify this kit',
    lead: 'This page is for one kit. Drop your copy to compare it with what was issued. Nothing is uploaded.',
    about: 'Kit',
    kitId: 'kit ID',
    loading: 'Loading receipt',
    known: 'Public receipt',
    hashes: 'Hashes',
    unknownTitle: 'No public receipt',
    unknown:
      'This service does not have this kit, or its workspace keeps it private. You can still verify your copy.',
    invalid: 'The kit ID in this link is not valid. It should be “kit_” followed by 22 or more characters.',
    erased: (day: string, by: string) => `Evidence erased on ${day} ${by}`,
    erasedByRule: (rule: string) => `by the retention rule: ${rule}`,
    erasedByOrder: 'by order of its owner',
    erasedText:
      'The service no longer has the files of this kit. A copy that you have can still be verified. The erasure record is signed by the issuer.',
    agree: (host: string) => `The receipt is signed with a key that this site, ${host}, publishes.`,
    dropTitle: 'Drop your kit.zip or the unpacked kit folder here',
  },
}

/** What every verifier in a browser says around a result. docs/decisions/0565 */
export const en = {
  /** What a person can do with a kit that is not verified. */
  words: { warn: 'Not confirmed yet', fail: 'Do not rely on it' },
  sentence: '{text}.',
  kinds: { zip: 'zip', folder: 'folder', receipt: 'receipt only' },
  files: { one: '{count} file', other: '{count} files' },
  checked: '{name} ({about}), checked {time} in {seconds} s',
  checks: 'Checks',
  results: { pass: 'pass', fail: 'FAIL', not_run: 'not run' },
  log: 'Log',
  provenance: 'Where the evidence came from',
  statements: { verified: 'verified', stated: 'stated' },
  notShown: 'Not shown: {why}.',
  contains: 'Kits in this kit',
  contained: 'Kit {kitId} of {issuer}: {heading}',
  noKitId: 'without a receipt',
  noIssuer: 'an unknown issuer',
  more: '… and {count} more. Save as JSON to see all.',
  errors: { one: '{count} error', other: '{count} errors' },
  signature: 'Signature',
  keyId: 'Key ID',
  unknown: 'unknown',
  key: 'Key',
  receipt: 'Receipt',
  noReceipt: 'Missing or malformed. Kit, issuer and time are unknown.',
  proved: 'Signed by the issuer',
  notProved: 'What the kit says about itself, not proved',
  issuer: 'Issuer',
  namedInKit: '{issuer} (named in the kit)',
  caller: 'Caller',
  supplier: 'Supplier',
  requester: 'Requester',
  name: 'Name',
  issued: 'Issued',
  kit: 'Kit',
  manifestHash: 'Manifest SHA-256',
  rootHash: 'Root hash',
  again: 'Verify another',
  print: 'Print',
  save: 'Save as JSON',
  forged: {
    kit: 'This kit names {issuer}, and {issuer} did not sign it. Treat it as forged.',
    receipt: 'This receipt names {issuer}, and {issuer} did not sign it. Treat it as forged.',
  },
  askIssuer: {
    title: 'Ask the issuer',
    here: 'This site is {site}. The receipt names {issuer} as its issuer.',
    there: 'Do you know this address as the issuer’s? Then check it there:',
  },
  extraFiles: {
    title: 'The folder contains extra files',
    steps: [
      'Some systems add files such as .DS_Store, Thumbs.db or desktop.ini when you open a folder.',
      'If you have the kit.zip, check that instead.',
    ],
  },
  otherKey: {
    title: 'The kit was signed with a different key',
    steps: [
      'Check that you gave the key set or key ID of the issuer named above.',
      'Issuers replace keys. Download the key set again: it also lists earlier keys.',
      'If the issuer does not know the key ID below, the kit is not from that issuer.',
    ],
  },
  picked: {
    expected: 'Choose one kit: its kit.zip, or the folder you unpacked it to.',
    notKit: '{name} is not a kit.',
    several: 'That is more than one kit.',
    none: 'No files found.',
    emptyFolder: 'The folder {name} is empty.',
    notKitFolder: 'The folder {name} is not a kit: it has no manifest.json or receipt.json.',
    dropped: 'dropped files',
  },
  keyForm: {
    title: 'Confirm the sender',
    /** Around the address of the key set. */
    open: [
      'Do you know this address as the issuer’s? Then open ',
      ', save the page as a file, and choose that file here.',
    ],
    ask: 'Ask the issuer for its key set, a JSON file, and choose it here.',
    choose: 'Choose the key set…',
    enter: 'Or enter a key ID that the issuer gave you, for example by phone or in a contract:',
    placeholder: '43 characters',
    confirmation: 'I got this from the issuer, not from this kit or the message it came with.',
    check: 'Check again',
    nothing: 'Choose the issuer’s key set, or enter a key ID.',
    notConfirmed:
      'Where is it from? Tick the box if you got it from the issuer. A key from the kit proves nothing.',
    kitsCopy: 'This file is identical to the one in the kit. If you took it from there, it proves nothing.',
    wrongFile: 'Choose the file that the issuer publishes.',
    noKey: 'contains no Ed25519 key',
    keys: { one: 'contains {count} key', other: 'contains {count} keys' },
    notKeyId: '“{text}” is not a key ID. A key ID is 43 letters, digits, “-” or “_”.',
  },
  policyForm: {
    title: 'Check the log, its witnesses and the time',
    what: 'A policy lists the logs and witnesses that you trust, and how many witnesses must have seen the kit. It counts only if you got it from somewhere other than this kit.',
    roots:
      'To require a time-stamp too, add the root certificates of the time-stamp authorities that you trust (PEM) below the policy, or give them alone.',
    choose: 'Choose the policy…',
    paste: 'Or paste it:',
    check: 'Check with this policy',
    nothing: 'Choose a policy, or paste one.',
    tooLarge: '{name} is too large for a policy.',
    notPolicy: 'This is not a policy: {why}.',
  },
  /**
   * What a report says in English about checks that do not run, and about the log. `{}` stands for a name, a number or a time. What is
   * not here is shown in English.
   */
  reasons: {
    noProof: 'there is no log proof',
    noTimeStamp: 'there is no time-stamp',
    noLogPolicy: 'no log policy was given',
    noPolicy: 'no policy was given',
    noKey: 'no key from outside the kit matches',
    noTrustedKey: 'there is no trusted key',
    noPublicKey: 'no public key is available',
    kitsKey: 'the signature matches the key in the kit, which is not trusted',
    integrityOnly: 'integrity only: the key came with the kit, so it does not prove who signed it',
    issuersLog: 'the log is the one of the issuer, and no policy was given',
    fits: 'the log proof fits, but who signed it was not checked: no key of {} is known from outside the kit',
    entry: 'entry {} of the log {}, which then had {} entries',
    notLogged: 'not shown to be in a log: the kit has no log proof',
    unchecked:
      'not confirmed: the log proof names the log {}, but its signature and its witnesses were not checked, because no policy was given',
    unwitnessed: 'in the log of {}, entry {} of {}; no witness has confirmed it',
    since: 'in the log of {} since {}, seen by {} of {} witnesses',
    sinceNamed: 'in the log of {} since {}, seen by {} of {} witnesses that the issuer names',
  },
  /** Messages of START-HERE.html. */
  page: {
    checking: 'Checking',
    progress: '{read} of {total}',
    another: 'Drop another kit here to check it.',
    unreadable: 'Cannot read that ({why}). Try “Choose the folder…”, or the kit.zip.',
    unused: '{name} was not used: more keys cannot change this result.',
    stopped: 'Stopped. Nothing was checked.',
    unfinished: 'The check did not finish, so the kit is not verified: {why}',
    folderAlone: 'Drop the folder on its own. You can add a key set afterwards.',
  },
}

export type ViewTexts = typeof en

/** What pages of a service say about receipts without files, and about the kit that they are for. START-HERE.html has no use for it. */
export const service = {
  receiptAlone: {
    noFiles: 'a receipt alone has no files',
    genuine: 'Genuine receipt, files not checked',
    signedWith: 'The receipt is signed with {key}. No files were checked.',
    checkFiles: {
      title: 'What to do',
      steps: ['To check the files as well, verify the kit.zip that this receipt belongs to.'],
    },
    unconfirmed: 'Sender not confirmed yet',
    unconfirmedText: 'Anyone can make a receipt that names this issuer, and this site is not the issuer.',
    failed: 'Receipt not confirmed',
    failedText: 'This receipt is not signed with a key of this site. Do not rely on it.',
  },
  expectedKit: {
    check: 'This is the kit this page is for',
    unknown: 'its receipt cannot be read, so its kit ID is unknown',
    other: 'this file is {kitId}, but this page is for {expected}',
    heading: 'Different kit',
    sentence: 'This is not the kit this page is for. Check the link or the code in the binder, and the file.',
  },
}

export type ServiceTexts = typeof service

/** What a binder says. `{name}` is replaced. */
export const en = {
  title: 'Evidence binder: {name}',
  /** At the top of every page. */
  header: 'Evidence binder',
  subject: 'Kit {kitId}.',
  cover: 'Cover',
  kicker: 'EVIDENCE BINDER',
  introduction:
    'This binder is the human-readable summary of a sealed kit: what it contains, who issued it and when, and how to verify it. The proof is in the kit itself. Anyone can verify it offline, without contacting the issuer.',
  contents: 'Contents',
  page: 'page {page}',
  files: { one: '{count} file', other: '{count} files' },
  fewBytes: { one: '{count} byte', other: '{count} bytes' },
  /** After a size in larger units. */
  bytes: '{size} ({count} bytes)',
  more: 'and {count} more',
  facts: {
    kit: 'Kit',
    job: 'Job',
    issued: 'Issued',
    issuer: 'Issuer',
    key: 'Key fingerprint',
    caller: 'Caller',
    supplierNamed: 'Supplier (named in the kit)',
    supplier: 'Supplier',
    requester: 'Requester (named in the kit)',
    workspace: 'Workspace',
    name: 'Name',
    profile: 'Profile',
    replaces: 'Replaces kit',
    evidence: 'Evidence',
    format: 'Format',
  },
  meaning: {
    title: 'What this proves, and what it does not',
    proves: 'A kit that passes verification proves',
    proved: [
      'The files match the manifest: each file has the listed SHA-256 hash and size, and no file was added.',
      'The manifest matches the receipt.',
      'The key ID in the receipt matches a public key that you chose to trust.',
      'The signature of the receipt verifies with that key.',
      'The kit has not been modified since it was issued.',
    ],
    provesNot: 'It does not prove',
    notProved: [
      'That a company is compliant, or that it is secure.',
      'That controls operate effectively.',
      'That a buyer, auditor, insurer, bank, regulator or payment service provider accepted the packet.',
      'That the evidence is legally sufficient, or that what it says is true.',
    ],
    limits: 'The limits of this service in full',
    boundary:
      "This service records supplied evidence and lets anyone check that a kit is what was issued, by whom and when. A successful verification proves that the files match the manifest, that the manifest matches the receipt, that the receipt's key ID matches a public key, that the receipt's signature verifies, and that the kit has not been modified since issuance. It does not prove the compliance or security status of a company, that controls operate effectively, that a buyer, auditor, insurer, bank, regulator or payment service provider accepted the packet, or that the evidence is legally sufficient. The service does not certify, audit, give legal approval, insure, or independently verify supplied claims. The customer remains responsible for the submitted evidence.",
  },
  verify: {
    title: 'How to verify',
    lead: 'All methods give the same result, PASS or FAIL. You need the kit: the file kit.zip, or the folder that it unpacks to.',
    browser: 'In a browser',
    browserText:
      'Open START-HERE.html from the kit and drop the kit on the page. It works offline, and nothing leaves your computer. The issuer can verify this kit with its own keys. Check that this is the address you know:',
    qrCode: 'QR code of {address}',
    command: 'On the command line',
    commandText:
      'Replace ISSUER with the address of the issuer, as you know it. Exit code 0 means PASS, 1 means FAIL, 2 means the kit could not be read, 3 means the sender is not confirmed.',
    byHand: 'By hand',
    byHandText:
      'VERIFY.md in the kit lists every step as a command, with standard tools only: sha256sum for the files and openssl for the signature. The first step checks every file:',
    key: 'Confirm the key of the issuer',
    keyText:
      'Verification shows that the holder of one key issued this kit. To confirm that the key belongs to the issuer, compare its fingerprint once with one that you received from the issuer directly, or with the key set that it publishes at /.well-known/jwks.json. The key in the kit and the fingerprint below are not proof of that.',
  },
  inventory: {
    title: 'Inventory',
    folders: { one: '{files} in {count} folder', other: '{files} in {count} folders' },
    lead: '{count}, {size}. The full SHA-256 hash is below each name, in alternating shades for readability. manifest.json in the kit lists the same files, and those that the service added.',
    shortened: 'Long names are shortened here. manifest.json has them in full.',
    /** Headings of narrow columns. */
    columns: { number: 'No.', name: 'Name', type: 'Type', size: 'Size' },
    topFolder: '(top folder)',
    continued: '{folder} (continued)',
    missing:
      'A box with digits stands for a character that the fonts of this binder do not contain. The digits are its Unicode code point. manifest.json has every name in full.',
  },
  provenance: {
    title: 'Where the evidence came from',
    lead: 'Verified is only what the service saw itself. What the supplier or a file states was recorded, and nobody checked it. reports/provenance.json in the kit has all of it.',
    /** About ten letters at most. */
    words: { verified: 'verified', stated: 'stated' },
  },
  checklist: {
    title: 'Checklist',
    lead: 'The items that were asked for, and the files that people put there or confirmed. The service judges nothing.',
    item: 'Item',
    files: 'Files',
    none: 'No files',
  },
  findings: {
    title: 'Findings',
    lead: {
      one: 'The service noticed {count} thing about the files. It did not keep the kit from being issued. reports/intake_report.json in the kit lists all of them.',
      other:
        'The service noticed {count} things about the files. None of them kept the kit from being issued. reports/intake_report.json in the kit lists all of them.',
    },
    acknowledged: 'Acknowledged by the supplier',
    notices: 'Notices',
    allFiles: 'All files',
  },
}

export type BinderTexts = typeof en

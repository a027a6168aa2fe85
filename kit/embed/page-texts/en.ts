/**
 * START-HERE.html before a kit is chosen. `*words*` are bold, and `` `words` `` are code. The build writes the English ones into the page,
 * where they are shown without scripts too.
 */
export const en = {
  title: 'Is this kit genuine?',
  language: 'Language',
  skip: 'Skip to the kit',
  intro:
    'An evidence kit holds files that somebody supplied as evidence, sealed by an issuer so that any change shows.',
  /** ISSUER is replaced. */
  named: 'This one names *ISSUER* as its issuer, but anyone can write that name.',
  how: 'Drop the kit below, and this page checks every file in it. Then it helps you find out whether the issuer really sealed it. Nothing is uploaded: this page works offline.',
  /** OWN is replaced with the address of the site. */
  ownKeys: 'Kits are checked with the keys that *OWN* publishes.',
  oldBrowser:
    'This browser does not support Ed25519 signatures, so every kit fails here. Use a current version of Chrome, Edge, Firefox or Safari.',
  kit: 'Kit',
  drop: 'Drop the kit here: the *zip file* as you received it, or the *folder* you unpacked it to.',
  chooseZip: 'Choose the zip file…',
  chooseFolder: 'Choose the folder…',
  whyChoose:
    'Browsers do not let a page open the folder it is in, so you have to choose it. If the browser asks to “upload” the files, it means that this page may read them.',
  progress: 'Progress',
  checking: 'Checking',
  stop: 'Stop',
  trust: 'Can I trust this page?',
  trustText:
    'This page runs the same checks as the service and the command line. But anyone who forges a kit can also change the page inside it. If a lot depends on the result, open /verify on the issuer’s website, at an address that you know, or run `kitseal verify`.',
  byHand: 'VERIFY.md in every kit explains how to verify it with sha256sum and openssl.',
}

export type PageTexts = typeof en
